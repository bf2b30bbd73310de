/** `/ext/v1/lei/{lei}/as-of/{moment}`: the record of a company as it was at a moment. */

import { momentOf, momentPattern, type OwnParameter, Refusal } from '../../http/parameters.ts';
import { CompanySchema } from '../../lei/company.ts';
import { object, said, TimestampSchema } from '../../lei/schema.ts';
import { companyExample } from '../company.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import times from './examples/as-of.json' with { type: 'json' };

const moment: OwnParameter<{ readonly text: string; readonly at: string }, string> = {
  read(text) {
    // A date means the end of the day.
    const at = momentOf(text, '23:59:59');
    if (at !== null) return { text, at };
    return new Refusal('must be a date such as 2026-01-31, or a time in UTC such as 2026-01-31T16:00:00Z');
  },
  spell: ({ text }) => text,
  required: 'is required',
  description:
    'A time (ISO 8601, with seconds, perhaps a fraction, and `Z` or an offset such as `+01:00`), or a date, which means the end of that day in UTC. It may not be later than today.',
  schema: { type: 'string', pattern: momentPattern },
  example: '2026-01-23',
};

const { lei, entity, registration, validation } = CompanySchema.properties;
const CompanyAsOfSchema = object({
  lei,
  at: said(TimestampSchema, 'The time from the request, in UTC.'),
  knownSince: said(
    TimestampSchema,
    'The time since which the record has been so: that of its last change before the moment, of the first load that had it, or of the snapshot.',
  ),
  entity,
  registration,
  validation,
});

const { entity: entityNow, registration: registrationNow, validation: validationNow } = companyExample.data;
const example = {
  ...times,
  data: { ...times.data, entity: entityNow, registration: registrationNow, validation: validationNow },
};

export const asOf = extEndpoint({
  ...reads,
  path: '/lei/{lei}/as-of/{moment}',
  operationId: 'getCompanyAsOf',
  parameters: [],
  tail: { moment },
  cost: oneSearch,
  question: (lei, { tail }) => ({ kind: 'as-of', lei, at: tail.moment.at }),
  tag: 'Companies',
  summary: 'A company as it was at an earlier time',
  description:
    'The level 1 record in the data of that time, from the changes and snapshots that this service keeps. `knownSince` is the time since which the record is known to have been so. Provenance and identifiers of other kinds have no history. For a time before the history begins, the answer is 404 and says how far the history reaches back.',
  answer: { name: 'CompanyAsOf', schema: CompanyAsOfSchema, example },
});
