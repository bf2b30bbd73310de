/** Writes the most frequent completions of the beginnings of changed terms. */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { mostFrequent } from '../build/write-terms.ts';
import { filterMark, type IndexShape, type SearchTables } from '../format.ts';
import { type OldTerms, openOldTerms } from '../index/old-terms.ts';
import type { SpelledTerm } from '../index/term-blocks.ts';
import { searchLimits } from '../limits.ts';
import { withoutTimeLimit } from '../time-limit.ts';
import type { ChangedTerm } from './terms.ts';
import type { Census } from './weights.ts';

export function changeCompletions(
  tables: SearchTables,
  shape: IndexShape,
  { frequencies, newTerms }: Census,
  changed: readonly ChangedTerm[],
): void {
  const old = openOldTerms(tables, shape, withoutTimeLimit());
  for (const prefix of beginningsOf(changed)) {
    const [from, to] = old.range(prefix);
    const added = beginning(newTerms, prefix);
    const key = Buffer.from(prefix, 'utf16le');
    if (living(frequencies, from, to) + added.length <= searchLimits.completionsMax) {
      tables.completions.removeSync(key);
      continue;
    }
    const ids = mostFrequentOf(old, frequencies, [from, to], added);
    const before = tables.completions.getBinary(key);
    const after = Buffer.from(ids.buffer);
    if (before === undefined || !before.equals(after)) tables.completions.putSync(key, after);
  }
}

function beginningsOf(changed: readonly ChangedTerm[]): Set<string> {
  const beginnings = new Set<string>();
  for (const { text } of changed) {
    if (text.startsWith(filterMark)) continue;
    const units = Math.min(text.length, searchLimits.storedPrefixUnitsMax);
    for (let end = 1; end <= units; end++) beginnings.add(text.slice(0, end));
  }
  return beginnings;
}

/** New terms that some name has and that begin with the prefix. */
function beginning(newTerms: readonly SpelledTerm[], prefix: string): SpelledTerm[] {
  const at = (place: number) => newTerms[place]?.text ?? '';
  const from = firstNotBefore(0, newTerms.length, (place) => at(place) < prefix);
  const to = firstNotBefore(from, newTerms.length, (place) => at(place).startsWith(prefix));
  return newTerms.slice(from, to).filter(({ term }) => term.frequency > 0);
}

function living(frequencies: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let id = from; id < to; id++) if ((frequencies[id] ?? 0) > 0) count++;
  return count;
}

function mostFrequentOf(
  old: OldTerms,
  frequencies: Uint32Array,
  [from, to]: readonly [number, number],
  added: readonly SpelledTerm[],
): Uint32Array {
  const best = mostFrequent(from, to, frequencies);
  if (added.length === 0) return Uint32Array.from(best).sort();
  const spelled = best.map((id) => ({ id, text: old.textOf(id) }));
  for (const { text, term } of added) spelled.push({ id: term.id, text });
  const frequency = ({ id }: { id: number }) => frequencies[id] ?? 0;
  spelled.sort((a, b) => frequency(b) - frequency(a) || (a.text < b.text ? -1 : 1));
  return Uint32Array.from(spelled.slice(0, searchLimits.storedCompletionsMax), ({ id }) => id).sort();
}
