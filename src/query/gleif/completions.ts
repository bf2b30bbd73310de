/** Answers with completions: names for a text while it is typed, and names that are like a text. */
import { foldedWords } from '../../lei/names/fold.ts';
import type { GleifAsk } from '../../protocol/gleif-questions.ts';
import { JsonBytes } from '../../protocol/json-bytes.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import type { SearchHit } from '../../store/search/search-reader.ts';
import { type GleifTexts, textAnswer } from './document.ts';

type CompletionsAsk = Extract<GleifAsk, { for: 'completions' }>;

/** GLEIF's service shows so many. */
const completionsMax = 10;

export function answerCompletions(
  publication: PublicationReader,
  texts: GleifTexts,
  { isFuzzy, q }: CompletionsAsk,
): Answer {
  const { search } = publication;
  const all = { q, country: null, status: null, after: null, limit: completionsMax };
  const begun = isFuzzy ? search.search(all) : search.suggest(q);
  const isEmpty = begun.outcome === 'hits' && begun.hits.length === 0;
  const outcome = isEmpty && !isFuzzy ? search.search(all) : begun;
  if (outcome.outcome === 'timeout') return { outcome: 'unavailable', reason: 'timeout' };
  const hits = outcome.outcome === 'hits' ? outcome.hits.slice(0, completionsMax) : [];
  const named = hits.map((hit) => completionOf(publication, hit));
  const data = isFuzzy ? named.map((each) => fuzzy(each, texts)) : completed(named, foldedWords(q), texts);
  return textAnswer(JSON.stringify({ data }));
}

interface Completion {
  readonly lei: string;
  readonly value: string;
}

const alone = new JsonBytes();

/** The name that a hit was found by. */
function completionOf(publication: PublicationReader, { entity, nameIndex }: SearchHit): Completion {
  const summary = publication.summary(entity);
  alone.begin();
  summary.putName(alone, nameIndex);
  const { name }: { readonly name: string } = JSON.parse(alone.toString());
  return { lei: summary.lei, value: name };
}

function recordLink(lei: string, { base }: GleifTexts) {
  const record = { data: { type: 'lei-records', id: lei }, links: { related: `${base}/lei-records/${lei}` } };
  return { 'lei-records': record };
}

function fuzzy({ lei, value }: Completion, texts: GleifTexts) {
  return { type: 'fuzzycompletions', attributes: { value }, relationships: recordLink(lei, texts) };
}

/** Each name once; one that belongs to a single record leads to it. */
function completed(named: readonly Completion[], words: readonly string[], texts: GleifTexts) {
  const byValue = Map.groupBy(named, ({ value }) => value);
  return [...byValue].map(([value, of]) => {
    const attributes = { value, highlighting: highlighted(value, words) };
    const [first] = of;
    const relationships =
      of.length > 1 || first === undefined ? {} : { relationships: recordLink(first.lei, texts) };
    return { type: 'autocompletions', attributes, ...relationships };
  });
}

/** Marks the beginnings of words that are words of the text, as far as they are written alike. */
function highlighted(value: string, words: readonly string[]): string {
  return value.replace(/[\p{L}\p{N}]+/gu, (written) => {
    const [folded = ''] = foldedWords(written);
    const word = words.find((each) => folded.startsWith(each));
    if (word === undefined) return written;
    const length = folded.length === written.length ? word.length : written.length;
    return `<b>${written.slice(0, length)}</b>${written.slice(length)}`;
  });
}
