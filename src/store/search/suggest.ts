/**
 * Suggests companies for a text that is still being typed: those of the highest rank whose names have its words, the
 * last one as the beginning of a word or of a legal form. Names that begin with the text come before names that have it further on.
 */
import { alwaysConnectors, betweenWords, connector } from '../../lei/names/fold.ts';
import { isForm, termsOfWords } from '../../lei/names/name-terms.ts';
import { cardHash } from './index/cards.ts';
import { searchLimits } from './limits.ts';
import { namedBeforeForm } from './match/named-before-form.ts';
import { pinnedDocuments } from './match/pinned.ts';
import type { IndexParts } from './parts.ts';
import { planAsTyped, type QueryPlan, type QueryWord } from './plan/query-plan.ts';
import { addCompletions, beginWord } from './plan/unfinished.ts';
import { DocumentScorer } from './score/score.ts';
import type { SearchOutcome } from './search-reader.ts';
import { sizeOf, type Union } from './sets/document-list.ts';
import { joinedUnique } from './sets/sorted.ts';

/**
 * Scores nothing: the stored rank decides. Companies whose whole name or identifier equals the text come first.
 * @param terms the terms of `q`, at least one
 */
export function suggest(parts: IndexParts, q: string, terms: readonly string[]): SearchOutcome {
  const plan = planAsTyped(parts, q, terms);
  const found = new Set<number>();
  for (const documents of inOrder(parts, plan, terms)) {
    for (const document of documents) found.add(document);
    if (found.size >= searchLimits.suggestionsMax) break;
  }
  const scorer = new DocumentScorer(parts, plan);
  const hits = Array.from(found)
    .slice(0, searchLimits.suggestionsMax)
    .map((document) => ({ ...scorer.score(document, -1), score: 1 }));
  return { outcome: 'hits', total: hits.length, hits, next: null };
}

/** Whole names, names that begin with the text, names whose form the text may begin, and names that have its words. */
function* inOrder(parts: IndexParts, plan: QueryPlan, terms: readonly string[]): Generator<Iterable<number>> {
  const most = searchLimits.suggestionsNamedMax;
  const named = [...pinnedDocuments(parts, plan.q, terms).keys()];
  yield named.slice(0, most);
  const words = plan.allWords;
  const connected = withConnector(words);
  const readings = readingsOf(parts, plan, terms);
  const { likely, others } = namedBeforeForm(parts, connected === null ? [words] : [words, connected]);
  yield joinedUnique([...readings.map(({ beginning }) => beginning), likely.subarray(0, most)]);
  if (connected !== null) {
    // In front of "and" at the end the word is finished.
    readings.push(companiesOf(parts, planOf(parts, plan.q, connected), connected.length === words.length));
  }
  for (const { beginning } of readings) yield beginning;
  yield named;
  yield likely;
  // Companies with a legal form of the text come before others.
  if (plan.formsAsked > 0) readings.push(companiesOf(parts, plan, endsWithWord(plan, terms)));
  for (const { beginning } of readings) yield beginning;
  yield others;
  for (const { having } of readings) yield having();
}

/** The text with its legal forms, and with their words as words: "capital ba" may become Capital Bank. */
function readingsOf(parts: IndexParts, plan: QueryPlan, terms: readonly string[]): Suggested[] {
  const asTyped = companiesOf(parts, plan, endsWithWord(plan, terms), formsOf(parts, plan));
  if (plan.formsAsked === 0) return [asTyped];
  return [asTyped, companiesOf(parts, planOf(parts, plan.q, plan.allWords), true)];
}

/**
 * The words of "banca y ge" or "banca and" as if more followed: so near the end of a text, "y" and "and" are not read as
 * connectors yet. Null for other texts.
 */
function withConnector(words: readonly string[]): readonly string[] | null {
  const [before = '', last = ''] = words.slice(-2);
  if (words.length > 1 && alwaysConnectors.has(last)) return words.slice(0, -1);
  return words.length > 2 && betweenWords.has(before) ? words.with(-2, connector) : null;
}

function planOf(parts: IndexParts, q: string, words: readonly string[]): QueryPlan {
  return planAsTyped(parts, q, termsOfWords(words));
}

/** True if the text ends with a word of the name, and false if a legal form ends it. */
function endsWithWord({ allWords }: QueryPlan, terms: readonly string[]): boolean {
  const last = terms.findLast((term) => !isForm(term));
  return last !== undefined && allWords.at(-1)?.endsWith(last) === true;
}

function formsOf(parts: IndexParts, { forms }: QueryPlan): Union[] {
  return [...forms].map((id) => [parts.sets.listOf(parts.terms.byId(id))]);
}

/** Both ascending. */
interface Suggested {
  /** The first companies whose legal names begin with the text. */
  readonly beginning: Uint32Array;
  /** The first with all its words; names may lack the light ones before the last. */
  having(): Uint32Array;
}

/**
 * @param isUnfinished whether the last word is the beginning of one
 * @param forms the legal forms that the companies must have
 */
function companiesOf(
  parts: IndexParts,
  plan: QueryPlan,
  isUnfinished: boolean,
  forms: readonly Union[] = [],
): Suggested {
  const last = plan.words.length - 1;
  const word = plan.words[last];
  if (word === undefined) return { beginning: none, having: () => none };
  // No list of documents exists for connectors.
  const before = plan.words.slice(0, last).filter(({ text }) => text !== connector);
  const telling = before.filter(({ light }) => !light);
  const fewTelling = isUnfinished ? fewWith(parts, telling, forms) : null;
  const isNarrower = isUnfinished && telling.length < before.length;
  const few = fewTelling ?? (isNarrower ? fewWith(parts, before, forms) : null);
  if (few !== null) beginWord(parts, plan, last, word, { repeats: true });
  const completions =
    few === null && isUnfinished ? addCompletions(parts, plan, last, word, { repeats: true }) : [];
  const ended = [...word.typed, ...completions.map((term) => parts.sets.listOf(term))];
  const { suggestionsMax, suggestionsLookedAtMax, suggestionsLookedAtMin } = searchLimits;
  const first = (words: readonly QueryWord[], most: number) =>
    parts.sets.intersect([...typedOf(words), ended, ...forms], 0, most, suggestionsLookedAtMin).documents;
  const hashes = [...plan.hashes, ...completions.map(({ hash }) => hash)];
  const scorer = new DocumentScorer(parts, plan);
  return {
    beginning: beginningWith(parts, hashes, scorer, few ?? first(before, suggestionsLookedAtMax)),
    having: () => few?.filter((document) => scorer.hasTelling(document)) ?? first(telling, suggestionsMax),
  };
}

const none = new Uint32Array(0);

function typedOf(words: readonly QueryWord[]): Union[] {
  return words.map(({ typed }) => typed);
}

/**
 * The documents with all words and forms if they are so few that their names can be read: the last word of the text may
 * then begin any word of these names. Null if there are more: it then begins one of the most frequent words.
 */
function fewWith(
  parts: IndexParts,
  words: readonly QueryWord[],
  forms: readonly Union[],
): Uint32Array | null {
  const most = searchLimits.suggestionNamesMax;
  const unions = [...typedOf(words), ...forms];
  const [first] = unions;
  if (words.length === 0 || first === undefined || (unions.length === 1 && sizeOf(first) > most)) return null;
  const { documents, total } = parts.sets.intersect(unions, 0, most, most + 1);
  return total > most ? null : documents;
}

/**
 * The first of the documents whose legal name begins with the question. Cards tell which names are worth reading.
 * @param hashes of the terms that its words may mean
 */
function beginningWith(
  parts: IndexParts,
  hashes: readonly number[],
  scorer: DocumentScorer,
  documents: Uint32Array,
): Uint32Array {
  const mayBegin = new Uint8Array(256);
  for (const hash of hashes) mayBegin[cardHash(hash)] = 1;
  const cards = parts.cards();
  const found: number[] = [];
  let namesLeft: number = searchLimits.suggestionNamesMax;
  for (const document of documents) {
    if (found.length === searchLimits.suggestionsMax || namesLeft === 0) break;
    if (mayBegin[(cards[document] ?? 0) >>> 8] === 0) continue;
    namesLeft--;
    if (scorer.begins(document)) found.push(document);
  }
  return Uint32Array.from(found);
}
