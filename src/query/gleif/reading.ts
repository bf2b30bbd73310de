/** Reads the records of companies whose columns do not decide a filter. */
import type { ColumnsQuery } from '../../store/columns/list-query.ts';
import type { EntityNumber, PublicationReader } from '../../store/publication-reader.ts';
import type { SoughtWords } from '../../store/sought-words.ts';
import type { Steps } from '../../store/steps.ts';
import { isSearched, type TextPart } from '../../store/text-parts.ts';

export type Conditions = ColumnsQuery['conditions'];
export type Condition = Conditions[number];

/**
 * Companies that have all words of an alternative in a part. Where the columns do not decide it exactly, the records of
 * the possible companies do.
 */
export function* entitiesWithWords(
  { gleif, lists }: PublicationReader,
  conditions: Conditions,
  part: TextPart,
  alternatives: readonly SoughtWords[],
): Steps<Uint32Array> {
  if (alternatives.length === 0) return new Uint32Array(0);
  const words = alternatives.map((sought) => sought.words);
  const mayHave: Condition = { is: 'words', alternatives: words, isSearched: isSearched(part) };
  if (part === 'everything' && words.flat().every(lists.isExact))
    return yield* lists.matching([...conditions, mayHave]);
  return yield* entitiesWhere({ lists }, [...conditions, mayHave], (entity) =>
    alternatives.some((sought) => gleif.hasWords(entity, part, sought)),
  );
}

/** Reads the companies that meet conditions one by one. */
export function* entitiesWhere(
  { lists }: Pick<PublicationReader, 'lists'>,
  conditions: Conditions,
  test: (entity: EntityNumber) => boolean,
): Steps<Uint32Array> {
  const candidates = yield* lists.matching(conditions);
  let count = 0;
  for (const [place, entity] of candidates.entries()) {
    if (place % companiesPerStep === companiesPerStep - 1) yield;
    if (test(entity)) candidates[count++] = entity;
  }
  return candidates.subarray(0, count);
}
/** Some 100 microseconds of reading. */
const companiesPerStep = 50;
