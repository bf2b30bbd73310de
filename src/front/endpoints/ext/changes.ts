/** `/ext/v1/changes`: what changed in the publications after one, for all companies or for a watch list. */
import { type ChangeKind, changeKinds } from '../../../lei/change-kinds.ts';
import { ChangesSinceSchema } from '../../../lei/ext-answers.ts';
import { isPublicationId } from '../../../publication/layout.ts';
import { batchMax, valuesOf } from '../batch.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import { momentOf } from '../moment.ts';
import { type OwnParameter, Refusal } from '../parameters.ts';
import { subjects } from '../subjects.ts';
import example from './examples/changes.json' with { type: 'json' };

const since: OwnParameter = {
  read: (value) =>
    isPublicationId(value) || momentOf(value, startOfDay) !== null
      ? value
      : new Refusal(
          'must be a dataset version, as meta.datasetVersion of an earlier answer, or a time in UTC such as 2026-01-31T16:00:00Z, or a date',
        ),
  required: 'is required: a dataset version, or a time',
  description:
    'The dataset version that you have, as `meta.datasetVersion` of an earlier answer tells it; or a time in UTC (ISO 8601, with seconds and `Z`), or a date, which means its beginning: then the changes of all publications with a later source time.',
  schema: { type: 'string', minLength: 10 },
  example: '2026-01-23T08:00:00Z',
};
const startOfDay = '00:00:00';

const lei: OwnParameter = {
  read(value) {
    const leis = valuesOf(value);
    if (leis.length > batchMax) {
      return new Refusal(`must hold at most ${batchMax} LEIs; it holds ${leis.length}`);
    }
    const checked = new Set<string>();
    for (const [index, each] of leis.entries()) {
      const check = subjects.lei.check(each);
      if (!check.ok)
        return new Refusal(`must hold LEIs only, but value ${index + 1} is none: ${phrase(check.reason)}`);
      checked.add(check.value);
    }
    return [...checked].join();
  },
  required: null,
  description: `Only changes of these companies: a watch list of up to ${batchMax} LEIs, separated by commas, in any case.`,
  schema: { type: 'string', minLength: 20 },
};

/** A sentence inside another one. */
function phrase(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

const kind: OwnParameter = {
  read(value) {
    const asked = value.split(',');
    const known = kindsIn(value);
    if (known.length === new Set(asked).size) return known.join();
    return new Refusal(`must be one or several of ${changeKinds.join(', ')}, separated by commas`);
  },
  required: null,
  description: `Only changes of these kinds, separated by commas: ${changeKinds.map((each) => `\`${each}\``).join(', ')}.`,
  schema: { type: 'string', examples: ['change', 'created,removed'] },
};

function kindsIn(text: string): readonly ChangeKind[] {
  const asked = text.split(',');
  return changeKinds.filter((known) => asked.includes(known));
}

export const changesSince = extEndpoint({
  ...reads,
  path: '/changes',
  operationId: 'getChangesSince',
  parameters: ['cursor', 'limit'],
  own: { since, lei, kind },
  cost: oneSearch,
  question: (_, { own, limit }, after) => {
    const from = own.get('since') ?? '';
    const watched = own.get('lei');
    return {
      kind: 'changes-since',
      since: isPublicationId(from) ? from : (momentOf(from, startOfDay) ?? ''),
      leis: watched === undefined ? [] : valuesOf(watched),
      kinds: kindsIn(own.get('kind') ?? ''),
      after,
      limit,
    };
  },
  tag: 'Companies',
  summary: 'What changed since a dataset version',
  description:
    'The changes that the publications after one brought, oldest first, as in `/api/v1/lei/{lei}/changes`: applied in this order to the records of `since` they give those of `meta.datasetVersion`, which is the next `since`. A company that is `created` comes without its record, a relationship that came with its status alone: ask for them. A relationship is told of at both its ends. Snapshots are left out. A page of a rare kind may hold fewer items than `limit`, or none: go on while there is a `links.next`. Where `since` is too old the answer is 400 and names the oldest one.',
  answer: { name: 'ChangesSince', schema: ChangesSinceSchema, example },
});
