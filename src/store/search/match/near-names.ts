/**
 * Finds the companies whose whole name is the question with an error or two in one word, although names have that word, or
 * another one is nearer: "viper energy inc" is Viber Energy Inc. beside a Viper Trading. The other words and the legal forms
 * must be as they were typed. A single letter may be one of two initials: "r foods" is R. N. Foods. A legal form may be joined
 * to the first word ("uabporenta"), and the end of the last word may look like one ("kres co b.v." for Kresco B.V.).
 */
import { connector } from '../../../lei/names/fold.ts';
import { mayBeMistyped, nameKey } from '../../../lei/names/name-terms.ts';
import { farSpellingsAmong, findFarSpellings, oneMore } from '../index/far-spellings.ts';
import { findKey, type KeyHit } from '../index/keys.ts';
import { findSpellings, type NearWord } from '../index/spellings.ts';
import { certainty, certaintyMistyped, doubtInNearName, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { wordsOfForm } from '../plan/forms.ts';
import { addMeaning, type QueryPlan, wholeWord } from '../plan/query-plan.ts';
import { addPair, shortFormsBefore } from '../plan/spaces.ts';
import { DocumentScorer } from '../score/score.ts';
import { sizeOf } from '../sets/document-list.ts';

interface Asked {
  /** Whether companies have the question for their whole name, with any legal form. */
  readonly isName: boolean;
  /** Whether some company has all of the question as meant. Then hundreds of other names are not looked up. */
  readonly isFound: boolean;
  /**
   * Companies whose whole name is a part of the question, in ascending order. If the question has no legal form, a word that one
   * of them has is not taken for mistyped.
   */
  readonly shorter: Uint32Array;
}

/** Finds them in ascending order. The plan then has the words of their names as further meanings. */
export function nearNames(
  parts: IndexParts,
  plan: QueryPlan,
  { isName, isFound, shorter }: Asked,
): Uint32Array {
  const scorer = new DocumentScorer(parts, plan);
  const isVague = tellsLittle(plan);
  const found = plan.words.flatMap(({ text, typed }, word) => {
    if (text.length === 1 && !isName)
      return withMeanings(parts, plan, word, initialsWith(parts, plan, scorer, word));
    if (isVague || !mayBeMistyped(text) || plan.apart.has(text)) return [];
    if (plan.formsAsked === 0 && parts.sets.members([typed], shorter).length > 0) return [];
    return withMeanings(parts, plan, word, nearWords(parts, plan, scorer, word, isFound));
  });
  const joined = [...joinedToForm(parts, plan, scorer), ...behindShortForm(parts, plan)];
  return Uint32Array.from(new Set([...found, ...joined])).sort();
}

/** "uabporenta" is UAB Porenta, also beside a UAB Porenta S.A., for whose name it has all words. */
function behindShortForm(parts: IndexParts, plan: QueryPlan): number[] {
  const [word] = plan.words;
  if (word === undefined || plan.formsAsked > 0) return [];
  const named = namedWith(parts, plan, 0);
  return shortFormsBefore(parts, word).flatMap(({ form, name }) => {
    const companies = named(parts.terms.textOf(name.id))
      .map(({ document }) => document)
      .filter((document) => parts.sets.termsOf(document).includes(form.id));
    if (companies.length > 0)
      addPair(parts, plan, 0, form, { terms: [name], certainty: certainty.joined, form: null });
    return companies;
  });
}

/** "kres co b.v." is Kresco B.V.: the last word and the first of several legal forms are one word of the name. */
function joinedToForm(parts: IndexParts, plan: QueryPlan, scorer: DocumentScorer): readonly number[] {
  const last = plan.words.length - 1;
  const text = (plan.words[last]?.text ?? '') + (wordsOfForm(plan)[0] ?? '');
  const term = plan.formsAsked > 1 || plan.repeatsForm ? parts.terms.find(text) : null;
  if (term === null) return [];
  const { relatedForms, formsAsWords } = plan;
  plan.relatedForms = new Set([...relatedForms, term.id]);
  plan.formsAsWords = new Set([...formsAsWords, term.id]);
  const named = withFormsAsTyped(scorer, namedWith(parts, plan, last)(text));
  if (named.length > 0) addMeaning(plan, term, { ...wholeWord, word: last, certainty: certainty.joined });
  else Object.assign(plan, { relatedForms, formsAsWords });
  return named;
}

const noNear: ReadonlyMap<number, NearWord> = new Map();

/**
 * True if no name has one of the question's legal forms, or if the question has none and fewer than three words that tell
 * something: "mlina bank" is Mlina Trading rather than Milan Bank.
 */
function tellsLittle({ forms, formsAsked, words }: QueryPlan): boolean {
  const telling = words.filter(({ light }) => !light).length;
  return forms.size < formsAsked || (formsAsked === 0 && telling < 3);
}

interface NearWords {
  /** The words within two errors by id. */
  readonly near: ReadonlyMap<number, NearWord>;
  /** The companies whose name has that word in the place of the question's. */
  readonly documents: (id: number) => readonly number[];
}

function nearWords(
  parts: IndexParts,
  plan: QueryPlan,
  scorer: DocumentScorer,
  word: number,
  isFound: boolean,
): NearWords {
  if (plan.words.length === 1) return alone(parts, plan, scorer);
  const near = beside(parts, plan, scorer, word);
  if (near !== null) return near;
  const spellings = isFound ? noNear : findFarSpellings(parts, plan.words[word]?.text ?? '');
  return byKeys(parts, plan, scorer, word, spellings);
}

/** @returns the companies with a name that has one of the words, which the plan then has as meanings */
function withMeanings(
  parts: IndexParts,
  plan: QueryPlan,
  word: number,
  { near, documents }: NearWords,
): number[] {
  return [...near].flatMap(([id, errors]) => {
    const named = documents(id);
    const sure = 1 - (1 - certaintyMistyped(errors)) * doubtInNearName;
    if (named.length > 0) addMeaning(plan, parts.terms.byId(id), { ...wholeWord, word, certainty: sure });
    return named;
  });
}

/** The words that stand for one of the question in names which have all others; null if these are too many. */
function beside(parts: IndexParts, plan: QueryPlan, scorer: DocumentScorer, word: number): NearWords | null {
  const { words, forms } = plan;
  const others = words.filter(({ text }, at) => at !== word && text !== connector);
  const lists = [...forms].map((id) => [parts.sets.listOf(parts.terms.byId(id))]);
  const most = searchLimits.fittingDocumentsMax;
  const all = parts.sets.intersect([...others.map(({ typed }) => typed), ...lists], 0, most, most + 1);
  if (all.total > most) return null;
  const inPlace = [...all.documents].flatMap((document) =>
    scorer.termsInPlace(document).map((id) => ({ id, document })),
  );
  const named = Map.groupBy(inPlace, ({ id }) => id);
  const near = farSpellingsAmong(parts, words[word]?.text ?? '', named.keys());
  return { near, documents: (id) => (named.get(id) ?? []).map(({ document }) => document) };
}

/** The words that are names on their own; within one error of a word that many names have. */
function alone(parts: IndexParts, plan: QueryPlan, scorer: DocumentScorer): NearWords {
  const { text = '', typed = [] } = plan.words[0] ?? {};
  const isRare = sizeOf(typed) <= searchLimits.rareWordDocumentsMax;
  return byKeys(parts, plan, scorer, 0, (isRare ? findFarSpellings : findSpellings)(parts, text));
}

/** The pairs of initials that a single letter may be one of. */
function initialsWith(parts: IndexParts, plan: QueryPlan, scorer: DocumentScorer, word: number): NearWords {
  const pairs = new Set(oneMore(plan.words[word]?.text ?? ''));
  const terms = [...pairs].flatMap((pair) => parts.terms.find(pair) ?? []);
  const near = terms.map(
    ({ id }) => [id, { distance: 1, sameStart: true, hasLetters: true, length: 2 }] as const,
  );
  return byKeys(parts, plan, scorer, word, new Map(near));
}

/** Looks up the whole names that have one of the words in the place of the question's, and its forms. */
function byKeys(
  parts: IndexParts,
  plan: QueryPlan,
  scorer: DocumentScorer,
  word: number,
  near: ReadonlyMap<number, NearWord>,
): NearWords {
  const named = namedWith(parts, plan, word);
  return { near, documents: (id) => withFormsAsTyped(scorer, named(parts.terms.textOf(id))) };
}

/** The names, legal forms aside, that are the question with a text in the place of one of its words. */
function namedWith(
  { tables, shape }: IndexParts,
  { words }: QueryPlan,
  word: number,
): (text: string) => readonly KeyHit[] {
  const texts = words.map(({ text }) => text);
  return (text) =>
    findKey(
      tables,
      shape.keyBuckets,
      'name',
      nameKey(texts.with(word, text)),
      searchLimits.fittingDocumentsMax,
    );
}

function withFormsAsTyped(scorer: DocumentScorer, names: readonly KeyHit[]): number[] {
  return names
    .filter(({ document, nameIndex }) => scorer.hasFormsAsTyped(document, nameIndex))
    .map(({ document }) => document);
}
