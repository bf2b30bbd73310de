/**
 * Reads pairs of a name in a public list and the LEI that the same list states: tab-separated, with the columns name,
 * country, city, registrationNumber, lei, source and kind. A kind that begins with `none` is a company that is absent.
 */
import { readFileSync } from 'node:fs';
import type { PublicationReader } from '../../../src/store/publication-reader.ts';
import type { AskedName } from './questions.ts';

export interface AskedPair extends AskedName {
  readonly kind: string;
  /** The LEI that the list states, also of an absent company: rows of one company stay in one fold. */
  readonly lei: string;
}

/** Those whose company is among the records, and those that say that it is not. */
export function readPairs(path: string, publication: PublicationReader): readonly AskedPair[] {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [name = '', country = '', city = '', number = '', lei = '', , kind = ''] = line.split('\t');
    const isAbsent = kind.startsWith('none');
    const isThere = publication.find(lei)?.hasRecord === true;
    if (isAbsent === isThere) return [];
    const question = {
      name,
      country: country || null,
      city: city || null,
      registrationNumber: number || null,
      lei: null,
    };
    return [{ ways: [], question, meant: isAbsent ? null : lei, kind, lei }];
  });
}

/** Kinds of pairs whose words do not stand in the record. */
const otherWords = new Set(['former name', 'translation', 'transliteration', 'trade name', 'abbreviation']);

export function wordsStandInRecord({ kind }: AskedPair): boolean {
  return !kind.startsWith('none') && !otherWords.has(kind);
}

/** The same question without the place. */
export function withoutPlace<Asked extends AskedName>(asked: Asked): Asked {
  return { ...asked, question: { ...asked.question, country: null, city: null } };
}
