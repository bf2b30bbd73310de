/** `/ext/v1/lei/{lei}/as-of/{moment}`: the record of a company as it was at a moment. */
import { Type } from '@sinclair/typebox';
import { CompanySchema } from '../../../lei/company.ts';
import { closed, said, TimestampSchema } from '../../../lei/schema.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import { momentOf } from '../moment.ts';
import { type OwnParameter, Refusal } from '../parameters.ts';
import example from './examples/as-of.json' with { type: 'json' };

const moment: OwnParameter<{ readonly text: string; readonly at: string }, string> = {
  read(text) {
    // A date means the end of the day.
    const at = momentOf(text, '23:59:59');
    if (at !== null) return { text, at };
    return new Refusal('must be a date such as 2026-01-31, or a time in UTC such as 2026-01-31T16:00:00Z');
  },
  spell: ({ text }) => text,
  required: 'is required',
  description: 'A date, which means its end in UTC, or a time in UTC (ISO 8601, with seconds and `Z`).',
  schema: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$' },
  example: '2026-01-23',
};

const { lei, entity, registration, validation } = CompanySchema.properties;
const CompanyAsOfSchema = Type.Object(
  {
    lei,
    at: said(TimestampSchema, 'The moment asked for.'),
    knownSince: said(
      TimestampSchema,
      'When the record began to be so: its last change before, the first load that had it, or the snapshot.',
    ),
    entity,
    registration,
    validation,
  },
  closed,
);

export const asOf = extEndpoint({
  ...reads,
  path: '/lei/{lei}/as-of/{moment}',
  operationId: 'getCompanyAsOf',
  parameters: [],
  tail: { moment },
  cost: oneSearch,
  question: (lei, { tail }) => ({ kind: 'as-of', lei, at: tail.moment.at }),
  tag: 'Companies',
  summary: 'A company as it stood at a moment',
  description:
    'The level 1 record that the data of that moment showed, from the changes and snapshots that this service keeps. `knownSince` is when the record began to be so, as far as they tell. Provenance and identifiers of other kinds have no history. Before the history begins the answer is 404, and says how far it reaches back.',
  answer: { name: 'CompanyAsOf', schema: CompanyAsOfSchema, example },
});
