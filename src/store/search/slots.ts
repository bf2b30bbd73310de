/**
 * What a question asks for: one slot a word, each with the terms that may fill it. First only the words as typed;
 * when that finds too little, also what they may have meant.
 */
import { formMark, isForm, isLight, mayBeSplit } from '../../lei/names/name-terms.ts';
import { otherWritings } from '../../lei/names/other-writings.ts';
import { certainty } from './certainty.ts';
import { type DocumentList, setOf, type Union } from './chunks.ts';
import type { DocumentSets } from './document-sets.ts';
import type { SearchTables } from './format.ts';
import { searchLimits } from './limits.ts';
import { meantForms } from './meant-forms.ts';
import { findSpellings } from './spellings.ts';
import type { Term, TermReader } from './term-reader.ts';
import { exchangedAtSeams } from './word-pieces.ts';

/** One term that fills a slot. */
export interface Filling {
  readonly slot: number;
  readonly certainty: number;
  /** For a word typed as one that is two terms: number of the pair, which half this is; else -1. */
  readonly pair: number;
  readonly half: 0 | 1;
}

/** A filling that is no half of a pair. */
const wholeWord = { pair: -1, half: 0 } as const;

export interface Slot {
  readonly text: string;
  /** 1 to 255: what finding it says about a company. */
  weight: number;
  /** May be missing from a name without anyone minding. */
  readonly light: boolean;
  /** Documents that have the word as typed. */
  typed: Union;
  /** Documents that have any filling. */
  union: Union;
  /** Those of them that have more than a legal form that may have been meant. */
  telling: Union;
}

export interface Plan {
  readonly slots: Slot[];
  /** Term id → what it fills. */
  readonly fillings: Map<number, Filling[]>;
  /** Ids of the legal forms in the question. */
  readonly forms: ReadonlySet<number>;
  /** Slot that a range of terms fills, for an unfinished last word. */
  begun: { readonly filling: Filling; readonly from: number; readonly to: number } | null;
  pairs: number;
  /** How many words of the question were there before. */
  readonly repeated: number;
}

/** What planning reads. */
export interface IndexParts {
  readonly tables: SearchTables;
  readonly terms: TermReader;
  readonly sets: DocumentSets;
  readonly weights: Uint8Array;
  readonly spellingBuckets: number;
}

/** A word that no name has: less telling than the rarest one that some name has, since it may be a slip. */
const unknownWeight = 150;

/** Reads a question's terms as typed. */
export function planAsTyped(parts: IndexParts, questionTerms: readonly string[]): Plan {
  const words = questionTerms.slice(0, searchLimits.wordsMax);
  const repeated = words.length - new Set(words).size;
  const core = words.filter((word) => !isForm(word));
  const forms = new Set<number>();
  for (const word of words) {
    const form = isForm(word) ? parts.terms.find(word) : null;
    if (form !== null) forms.add(form.id);
  }
  const plan: Plan = { slots: [], fillings: new Map(), forms, begun: null, pairs: 0, repeated };
  // A legal form alone is a question for all that have it.
  const asked = [...new Set(core.length > 0 ? core : words)];
  for (const { text, terms } of rarest(asked.map((word) => typedTerms(parts, word)))) {
    addSlot(parts, plan, text, terms);
  }
  return plan;
}

interface TypedWord {
  readonly text: string;
  readonly terms: readonly Term[];
}

/** A word may be a term of its own and, where a name ends in it, a legal form: "limited", "as". */
function typedTerms(parts: IndexParts, text: string): TypedWord {
  const terms: Term[] = [];
  const plain = isForm(text) ? text.slice(formMark.length) : text;
  for (const spelling of [plain, formMark + plain]) {
    const term = parts.terms.find(spelling);
    if (term !== null) terms.push(term);
  }
  return { text, terms };
}

/** The rarest words of a question that has too many, in their order. */
function rarest(words: readonly TypedWord[]): readonly TypedWord[] {
  if (words.length <= searchLimits.slotsMax) return words;
  const count = ({ terms }: TypedWord) => terms.reduce((sum, term) => sum + term.frequency, 0);
  const known = words.filter(({ terms }) => terms.length > 0);
  const kept = new Set([...known].sort((a, b) => count(a) - count(b)).slice(0, searchLimits.slotsMax));
  return words.filter((word) => kept.has(word));
}

function addSlot(parts: IndexParts, plan: Plan, text: string, terms: readonly Term[]): void {
  const slot = plan.slots.length;
  const typed = terms.map((term) => parts.sets.listOf(term));
  const [main] = terms;
  const weight = main === undefined ? unknownWeight : (parts.weights[main.id] ?? 1);
  for (const { id } of terms) fill(plan, id, { slot, certainty: certainty.typed, ...wholeWord });
  plan.slots.push({ text, weight, light: isLight(text), typed, union: typed, telling: typed });
}

function fill(plan: Plan, id: number, filling: Filling): void {
  const known = plan.fillings.get(id);
  if (known === undefined) plan.fillings.set(id, [filling]);
  else known.push(filling);
}

/**
 * Adds to every slot what its word may have meant: other spellings, joined and split words, the whole of a beginning,
 * a legal form that is mistyped or not finished.
 */
export function widen(parts: IndexParts, plan: Plan): void {
  plan.slots.forEach((slot, i) => {
    const lists: DocumentList[] = [...slot.typed];
    if (!isForm(slot.text)) {
      lists.push(...addSpellings(parts, plan, i, slot));
      lists.push(...addSplits(parts, plan, i, slot));
      if (i === plan.slots.length - 1) lists.push(...addBeginnings(parts, plan, i, slot));
    }
    slot.union = lists;
  });
  addJoins(parts, plan);
  for (const slot of plan.slots) slot.telling = slot.union;
  addMeantForms(parts, plan);
}

function addSpellings(parts: IndexParts, plan: Plan, i: number, slot: Slot): DocumentList[] {
  const sameWord = otherwiseWritten(parts, slot.text);
  const known = new Set(sameWord.map(({ term }) => term.id));
  const mistyped = nearestSpellings(parts, slot.text).filter(({ term }) => !known.has(term.id));
  const taken = [...sameWord, ...mistyped];
  for (const { term, certainty: sure } of taken)
    fill(plan, term.id, { ...wholeWord, slot: i, certainty: sure });
  if (slot.typed.length === 0 && taken.length > 0) {
    slot.weight = Math.max(...taken.map(({ term }) => parts.weights[term.id] ?? 1));
  }
  return taken.map(({ term }) => parts.sets.listOf(term));
}

interface MeantTerm {
  readonly term: Term;
  readonly certainty: number;
}

/** Also of short words, which are too short to be mistyped. */
function otherwiseWritten(parts: IndexParts, text: string): MeantTerm[] {
  return otherWritings(text).flatMap((spelling) => {
    const term = parts.terms.find(spelling);
    return term === null ? [] : [{ term, certainty: certainty.otherwiseWritten }];
  });
}

/** Nearest first, then most frequent, then by the alphabet. */
function nearestSpellings(parts: IndexParts, text: string): MeantTerm[] {
  const found = findSpellings(parts.tables, parts.spellingBuckets, text);
  for (const exchanged of exchangedAtSeams(text)) {
    const term = parts.terms.find(exchanged);
    if (term !== null) found.set(term.id, { distance: 1, sameStart: exchanged[0] === text[0] });
  }
  const spellings = [...found].map(([id, near]) => ({ term: parts.terms.byId(id), ...near }));
  spellings.sort(
    (a, b) => a.distance - b.distance || b.term.frequency - a.term.frequency || a.term.id - b.term.id,
  );
  return spellings.slice(0, searchLimits.spellingsMax).map(({ term, distance, sameStart }) => {
    const sure = certainty.mistyped[distance] ?? 0;
    return { term, certainty: sameStart ? sure : sure * certainty.firstLetter };
  });
}

/** "gazprombank" for Gazprom Bank: every place where both halves are words. */
function addSplits(parts: IndexParts, plan: Plan, i: number, slot: Slot): DocumentList[] {
  const { text } = slot;
  // A second half of one letter is an initial, so it is tried in short words only ("hm" for H & M); a first half of one
  // letter in all ("tmobile").
  const shortest = text.length < 4 ? 1 : 2;
  if (!mayBeSplit(text)) return [];
  const lists: DocumentList[] = [];
  for (let at = text.length - shortest; at >= 1 && lists.length < searchLimits.splitsMax; at--) {
    const first = parts.terms.find(text.slice(0, at));
    const second = first === null ? null : parts.terms.find(text.slice(at));
    if (first === null || second === null) continue;
    const unions = [[parts.sets.listOf(first)], [parts.sets.listOf(second)]];
    const { documents } = parts.sets.intersect(unions, 0, searchLimits.driverDocumentsMax);
    if (documents.length === 0) continue;
    const pair = plan.pairs++;
    fill(plan, first.id, { slot: i, certainty: certainty.joined, pair, half: 0 });
    fill(plan, second.id, { slot: i, certainty: certainty.joined, pair, half: 1 });
    lists.push(setOf(documents));
  }
  return lists;
}

function addBeginnings(parts: IndexParts, plan: Plan, i: number, slot: Slot): DocumentList[] {
  const [from, to] = parts.terms.range(slot.text);
  if (to - from < 1) return [];
  plan.begun = { filling: { ...wholeWord, slot: i, certainty: certainty.begun }, from, to };
  const stored = to - from > searchLimits.completionsMax ? parts.terms.completions(slot.text) : null;
  const terms =
    stored === null
      ? parts.terms.between(from, Math.min(to, from + searchLimits.completionsMax))
      : [...stored].map((id) => parts.terms.byId(id));
  if (slot.typed.length === 0) {
    const heaviest = Math.max(...terms.map(({ id }) => parts.weights[id] ?? 1));
    slot.weight = slot.weight === unknownWeight ? heaviest : Math.min(slot.weight, heaviest);
  }
  return terms.map((term) => parts.sets.listOf(term));
}

/** "gazprom bank" for Gazprombank: one term fills both slots. */
function addJoins(parts: IndexParts, plan: Plan): void {
  for (let i = 0; i + 1 < plan.slots.length; i++) {
    const first = plan.slots[i];
    const second = plan.slots[i + 1];
    if (first === undefined || second === undefined) continue;
    const term = parts.terms.find(first.text + second.text);
    if (term === null) continue;
    const list = parts.sets.listOf(term);
    first.union = [...first.union, list];
    second.union = [...second.union, list];
    fill(plan, term.id, { slot: i, certainty: certainty.joined, ...wholeWord });
    fill(plan, term.id, { slot: i + 1, certainty: certainty.joined, ...wholeWord });
  }
}

/** "sanlam limitd" for Sanlam Limited, "tesla spółka z ograniczoną" for Tesla sp. z o.o.: a form fills all its words. */
function addMeantForms(parts: IndexParts, plan: Plan): void {
  for (const { token, from, to, certainty: sure } of meantForms(plan.slots.map(({ text }) => text))) {
    const term = parts.terms.find(formMark + token);
    if (term === null) continue;
    const list = parts.sets.listOf(term);
    for (let i = from; i < to; i++) {
      const slot = plan.slots[i];
      if (slot === undefined) continue;
      slot.union = [...slot.union, list];
      // What nobody has as a name says as little as the form.
      if (slot.typed.length === 0) slot.weight = Math.min(slot.weight, parts.weights[term.id] ?? 1);
      fill(plan, term.id, { ...wholeWord, slot: i, certainty: sure });
    }
  }
}
