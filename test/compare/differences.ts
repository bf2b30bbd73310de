/** Pairs the answers of two services by name and describes how each pair differs. */
import { headText, type Named } from './normal.ts';

export interface Paired {
  readonly before: readonly Named[];
  /** The answer at each index belongs to the one at the same index of `before`. */
  readonly after: readonly Named[];
  /** Names of answers that only one of the services gave. */
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/**
 * Pairs answers by name, so that a request that only one service received moves no other pair. Documents come last: ids
 * in their examples would otherwise renumber those of the answers behind them.
 */
export function paired(before: readonly Named[], after: readonly Named[]): Paired {
  const [was, is] = [byName(before), byName(after)];
  const shared = [...was.keys()]
    .filter((name) => is.has(name))
    .sort((a, b) => Number(isDocument(a)) - Number(isDocument(b)));
  const of = (answers: ReadonlyMap<string, Named>) => shared.flatMap((name) => answers.get(name) ?? []);
  return {
    before: of(was),
    after: of(is),
    gone: [...was.keys()].filter((name) => !is.has(name)),
    come: [...is.keys()].filter((name) => !was.has(name)),
  };
}

function isDocument(name: string): boolean {
  return /\bpage (?!\d)/.test(name);
}

/** A name that several answers share gets their number. */
function byName(answers: readonly Named[]): ReadonlyMap<string, Named> {
  const named = new Map<string, Named>();
  for (const [name, together] of Map.groupBy(answers, (answer) => answer.name)) {
    for (const [index, answer] of together.entries()) {
      named.set(index === 0 ? name : `${name} (${index + 1})`, answer);
    }
  }
  return named;
}

/** At least one line for each pair that differs and for each answer without a counterpart, by name. */
export function differences({ before, after, gone, come }: Paired): string[] {
  const lines = before.flatMap((answer, index) => {
    const other = after[index];
    if (other === undefined) return [];
    const found = [...headDifference(answer, other), ...bodyDifference(answer, other)];
    return found.length === 0 ? [] : [`- ${answer.name}\n    ${found.join('\n    ')}`];
  });
  return [
    ...lines,
    ...gone.map((name) => `- ${name}: was not asked`),
    ...come.map((name) => `- ${name}: was not asked before`),
  ];
}

function headDifference(before: Named, after: Named): string[] {
  const gone = before.head.filter((line) => !after.head.includes(line));
  const come = after.head.filter((line) => !before.head.includes(line));
  if (gone.length === 0 && come.length === 0 && headText(before) !== headText(after))
    return ['its headers come in another order'];
  return [...gone.map((line) => `was ${line}`), ...come.map((line) => `is  ${line}`)];
}

/** Characters shown on either side of the first difference. */
const context = 60;

function bodyDifference(before: Named, after: Named): string[] {
  if (before.body.equals(after.body)) return [];
  const [was, is] = [before.body.toString(), after.body.toString()];
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - context), at + context));
  return [`body differs at ${at}: was ${around(was)}`, `  is ${around(is)}`];
}
