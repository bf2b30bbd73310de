/** Finds the words that a word of a question may mean if it is spelled otherwise or mistyped. */
import { mayBeMistyped } from '../../../lei/names/name-terms.ts';
import { otherNumerals } from '../../../lei/names/ordinals.ts';
import { otherWritings } from '../../../lei/names/other-writings.ts';
import { farSpellingsAmong, findFarSpellings } from '../index/far-spellings.ts';
import { findSpellings, measuredEach } from '../index/spellings.ts';
import type { Term } from '../index/term-blocks.ts';
import { certainty, certaintyMistyped, searchLimits, type TypingErrors } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import type { Union } from '../sets/document-list.ts';
import { exchangedAtSeams } from '../text/word-pieces.ts';
import { termsBeside } from './terms-beside.ts';

export interface MeantTerm {
  readonly term: Term;
  readonly certainty: number;
  /** The number of typing errors. */
  readonly errors: number;
}

/** Adds other spellings, even of words that are too short to be taken for mistyped. */
export function otherwiseWritten(parts: IndexParts, text: string): MeantTerm[] {
  return [...otherWritings(text), ...otherNumerals(text)].flatMap((spelling) => {
    const term = parts.terms.find(spelling);
    return term === null ? [] : [{ term, certainty: certainty.otherwiseWritten, errors: 0 }];
  });
}

/** Nearest first, then most frequent, then alphabetically. */
export function nearestSpellings(parts: IndexParts, text: string): MeantTerm[] {
  const near = findSpellings(parts, text);
  for (const exchanged of exchangedAtSeams(text)) {
    const term = parts.terms.find(exchanged);
    const sameStart = exchanged[0] === text[0];
    if (term !== null) near.set(term.id, { distance: 1, sameStart, hasLetters: true, length: text.length });
  }
  const spellings = parts.terms.byIds(near.keys()).flatMap((term) => {
    const word = near.get(term.id);
    return word === undefined ? [] : [{ term, ...word }];
  });
  spellings.sort(
    (a, b) =>
      a.distance - b.distance ||
      b.term.frequency - a.term.frequency ||
      parts.terms.compare(a.term.id, b.term.id),
  );
  return spellings.slice(0, searchLimits.spellingsMax).flatMap(({ term, ...errors }) => meant(term, errors));
}

/** Spellings with two errors: first words with the same first letter; the rest is in alphabetical order. */
export function farSpellings(parts: IndexParts, text: string, others: readonly Union[]): MeantTerm[] {
  parts.timeLimit.largeStep();
  const beside = termsBeside(parts, others, searchLimits.farSpellingsAmongMax);
  const near = beside === null ? findFarSpellings(parts, text) : farSpellingsAmong(parts, text, beside);
  const far = [...near].flatMap(([id, word]) => (word.distance > 1 ? [{ id, ...word }] : []));
  far.sort(
    (one, other) => Number(other.sameStart) - Number(one.sameStart) || parts.terms.compare(one.id, other.id),
  );
  const kept = new Map(far.slice(0, searchLimits.farSpellingsMax).map((one) => [one.id, one]));
  return parts.terms.byIds(kept.keys()).flatMap((term) => meant(term, kept.get(term.id)));
}

/** Keeps the terms that are the word with one error. */
export function spellingsAmong(parts: IndexParts, text: string, ids: Iterable<number>): MeantTerm[] {
  if (!mayBeMistyped(text)) return [];
  const near = measuredEach(parts, text, ids, 1);
  return parts.terms.byIds(near.keys()).flatMap((term) => meant(term, near.get(term.id)));
}

function meant(term: Term, errors: TypingErrors | undefined): MeantTerm[] {
  return errors === undefined
    ? []
    : [{ term, certainty: certaintyMistyped(errors), errors: errors.distance }];
}
