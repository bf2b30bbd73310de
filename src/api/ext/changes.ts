/** `/ext/v1/changes`: what changed in the publications after one, for all companies or for a watch list. */

import { Type } from '@sinclair/typebox';
import { momentOf, type OwnParameter, Refusal, subjects } from '../../http/parameters.ts';
import { ChangeItemSchema } from '../../lei/change-answers.ts';
import { type ChangeKind, changeKinds } from '../../lei/change-kinds.ts';
import { LeiSchema, listOf, object, said, text, textOrNull } from '../../lei/schema.ts';
import { isPublicationId } from '../../publication/layout.ts';
import { batchMax, valuesOf } from '../batch.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/changes.json' with { type: 'json' };

const since: OwnParameter<{ readonly text: string; readonly since: string }, string> = {
  read(text) {
    // A date means the beginning of the day.
    const since = isPublicationId(text) ? text : momentOf(text, '00:00:00');
    if (since !== null) return { text, since };
    return new Refusal(
      'must be a dataset version from meta.datasetVersion of an earlier answer, a time in UTC such as 2026-01-31T16:00:00Z, or a date',
    );
  },
  spell: ({ text }) => text,
  required: 'is required: a dataset version, or a time',
  description:
    'The dataset version that you have, from `meta.datasetVersion` of an earlier answer. Or a time (ISO 8601, with seconds, perhaps a fraction, and `Z` or an offset such as `+01:00`) or a date, which means its beginning in UTC; the answer then has the changes of all publications with a later source time.',
  schema: { type: 'string', minLength: 10 },
  example: '2026-01-23T08:00:00Z',
};

const lei: OwnParameter<readonly string[]> = {
  read(text) {
    const leis = valuesOf(text);
    if (leis.length > batchMax) {
      return new Refusal(`must hold at most ${batchMax} LEIs; it holds ${leis.length}`);
    }
    const checked = new Set<string>();
    for (const [index, each] of leis.entries()) {
      const check = subjects.lei.check(each);
      if (!check.ok)
        return new Refusal(`must hold LEIs only, but value ${index + 1} is not one: ${phrase(check.reason)}`);
      checked.add(check.value);
    }
    return [...checked];
  },
  spell: (leis) => leis.join(),
  required: null,
  isList: true,
  description: `Only changes of these companies: a watch list of up to ${batchMax} LEIs, separated by commas, in any case.`,
  schema: { type: 'string', minLength: 20 },
};

/** A message as part of another sentence. */
function phrase(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

const kind: OwnParameter<readonly ChangeKind[]> = {
  read(text) {
    const asked = text.split(',');
    const known = changeKinds.filter((each) => asked.includes(each));
    if (known.length === new Set(asked).size) return known;
    return new Refusal(`must be one or more of ${changeKinds.join(', ')}, separated by commas`);
  },
  spell: (kinds) => kinds.join(),
  required: null,
  isList: true,
  description: `Only changes of these kinds, separated by commas: ${changeKinds.map((each) => `\`${each}\``).join(', ')}.`,
  schema: { type: 'string', examples: ['change', 'created,removed'] },
};

const changeItems = ChangeItemSchema.anyOf
  .filter(({ properties }) => properties.kind.const !== 'snapshot')
  .map(({ properties }) =>
    object({
      lei: said(LeiSchema, 'The LEI of the company that changed.'),
      name: textOrNull('Its legal name now; null if it is no longer in the data.'),
      ...properties,
    }),
  );
const ChangesSinceSchema = object({
  since: text(
    'The dataset version at which the changes begin: the one in the request, or the last one before the time in the request. They end at `meta.datasetVersion`.',
    '20240504T160000Z-91bb02aa',
  ),
  items: listOf(Type.Union(changeItems), 'The changes of this page, oldest first.'),
});

export const changesSince = extEndpoint({
  ...reads,
  path: '/changes',
  operationId: 'getChangesSince',
  parameters: ['cursor', 'limit'],
  own: { since, lei, kind },
  cost: oneSearch,
  question: (_, { own, limit }, after) => ({
    kind: 'changes-since',
    since: own.since.since,
    leis: own.lei ?? [],
    kinds: own.kind ?? [],
    after,
    limit,
  }),
  tag: 'Companies',
  summary: 'What changed since a dataset version',
  description:
    'The changes of all publications after `since`, oldest first, with items as in `/api/v1/lei/{lei}/changes` and the LEI and the name of each company. Applied in this order to the records of `since`, they give the records of `meta.datasetVersion`, which is your next `since`. An item of kind `created` does not contain the record of the company, and a new relationship has only its status: request them separately. Of identifiers (`mappings.isin` and so on), remove those in `from` and add those in `to`. A change of a relationship appears at both of its ends. Snapshots are left out. A page of a rare kind can have fewer items than `limit`, or none: continue while there is a `links.next`. If `since` is too old, the answer is 400 and names the oldest possible one.',
  answer: { name: 'ChangesSince', schema: ChangesSinceSchema, example },
});
