/** Answers suggestions while a user types, and the flyouts about them. */
import type { Static } from '@sinclair/typebox';
import { html } from '../html/html.ts';
import { queryParameters, Refusal, subjects } from '../http/parameters.ts';
import type { Task, TaskOutcome } from '../http/task-route.ts';
import { faulty, oneSearch } from '../http/tasks.ts';
import { legalEntity, properties } from '../lei/company-properties.ts';
import type { SuggestAnswerSchema } from '../lei/list-answers.ts';
import { countryName } from '../lei/places-of-iso.ts';
import type { SuggestionKind } from './addresses.ts';
import { companyTask } from './preview.ts';
import { jsonOf, statically, textOf } from './task.ts';

interface SuggestedItem {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

const types: readonly SuggestedItem[] = [
  { ...legalEntity, description: 'A company, fund or other entity with a Legal Entity Identifier' },
];
const fixed: Readonly<Record<Exclude<SuggestionKind, 'entity'>, readonly SuggestedItem[]>> = {
  property: properties.map(({ id, name, description }) => ({ id, name, description })),
  type: types,
};

/** Things whose id, name or a word of the name begins with the prefix. */
function begunBy(prefix: string, of: Exclude<SuggestionKind, 'entity'>): readonly SuggestedItem[] {
  const begun = prefix.trim().toLowerCase();
  const begins = (text: string) => ` ${text.toLowerCase()}`.includes(` ${begun}`);
  return fixed[of].filter(({ id, name }) => begins(id) || begins(name));
}

/** @param parameters `prefix`, and `cursor`: how many suggestions to skip */
export function suggestTask(of: SuggestionKind, parameters: URLSearchParams): Task {
  const prefix = parameters.get('prefix') ?? '';
  const skipped = Number(parameters.get('cursor') ?? '0');
  if (!Number.isInteger(skipped) || skipped < 0) {
    return faulty('cursor', 'must be a whole number: how many suggestions to skip');
  }
  if (of !== 'entity') return statically(1, () => ({ result: begunBy(prefix, of).slice(skipped) }));
  const q = queryParameters.q.read(prefix);
  // A single letter gets an empty list: a client asks while its user types.
  if (q instanceof Refusal) return statically(1, () => ({ result: [] }));
  return oneSearch((ask) =>
    ask({ kind: 'suggest', q }, (answer): TaskOutcome => {
      if (answer.outcome === 'unavailable') return { ...answer, computed: 0 };
      const items = answer.outcome === 'found' ? entitiesOf(JSON.parse(textOf(answer.data))) : [];
      return jsonOf({ result: items.slice(skipped) });
    }),
  );
}

function entitiesOf({ items }: Static<typeof SuggestAnswerSchema>): readonly unknown[] {
  return items.map(({ lei, name, country }) => ({
    id: lei,
    name,
    description: [country === null ? [] : countryName(country), lei].flat().join(' · '),
    notable: [legalEntity],
  }));
}

/** A few words about one suggestion, as HTML in JSON. */
export function flyoutTask(of: SuggestionKind, parameters: URLSearchParams): Task {
  const id = parameters.get('id') ?? '';
  if (of === 'entity') return companyFlyout(id);
  const found = fixed[of].find((item) => item.id === id);
  if (found === undefined) return faulty('id', `must be the id of a ${of} of this service`);
  const words = html`<p><strong>${found.name}</strong>: ${found.description}</p>`;
  return statically(1, () => ({ id, html: words.text }));
}

function companyFlyout(id: string): Task {
  const lei = subjects.lei.check(id);
  if (!lei.ok) return faulty('id', `is not an LEI: ${lei.reason}`);
  return companyTask(
    lei.value,
    (shown) => jsonOf({ id: shown.lei, html: shown.facts.text }),
    (detail) => ({ outcome: 'refused', problem: { name: 'not-found', detail } }),
  );
}
