/** Writes JSON:API documents as GLEIF's API has them: `meta`, `links`, `data`, `included`. */
import { pageLinks, pagination } from '../../gleif/pages.ts';
import { noNotices } from '../../lei/notices.ts';
import type { GleifPage } from '../../protocol/gleif-questions.ts';
import { type JsonPiece, piece } from '../../protocol/json-bytes.ts';
import type { Answer } from '../../protocol/questions.ts';
import { sourceTimeOf } from '../../publication/layout.ts';
import type { GleifLinkTexts } from '../../store/gleif/gleif-reader.ts';
import { linkTexts } from '../../store/gleif/links.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';

/** The texts that the documents of one publication share under one public address. */
export interface GleifTexts {
  readonly base: string;
  readonly links: GleifLinkTexts;
  /** The beginning of a document, up to the value of `data`. */
  readonly opening: JsonPiece;
  /** JSON of `goldenCopy`. */
  readonly goldenCopy: string;
}

const known = new Map<string, GleifTexts>();
/** A service has one address, and a few publications at a time. */
const knownMax = 64;

export function textsFor({ id }: PublicationReader, base: string): GleifTexts {
  const key = `${id} ${base}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const goldenCopy = JSON.stringify({ publishDate: sourceTimeOf(id) });
  const opening = piece(`{"meta":{"goldenCopy":${goldenCopy}},"data":`);
  const texts = { base, links: linkTexts(base), opening, goldenCopy };
  if (known.size >= knownMax) known.clear();
  known.set(key, texts);
  return texts;
}

/** A document of one resource. @param isGolden whether it derives from the golden copy */
export function documentOf(texts: GleifTexts, data: object, isGolden = true): Answer {
  const meta = isGolden ? `"meta":{"goldenCopy":${texts.goldenCopy}},` : '';
  return textAnswer(`{${meta}"data":${JSON.stringify(data)}}`);
}

/** A list whose items are all known. @param total of all pages */
export function listOf(
  texts: GleifTexts,
  page: GleifPage,
  total: number,
  items: readonly object[],
  isGolden = true,
): Answer {
  return textAnswer(`${listOpening(texts, page, total, items.length, isGolden)}${JSON.stringify(items)}}`);
}

/** The beginning of a list, up to the value of `data`. @param count of the items on the page */
export function listOpening(
  { base, goldenCopy }: GleifTexts,
  page: GleifPage,
  total: number,
  count: number,
  isGolden = true,
): string {
  const golden = isGolden ? `"goldenCopy":${goldenCopy},` : '';
  const numbers = JSON.stringify(pagination(page, total, count));
  return `{"meta":{${golden}"pagination":${numbers}},"links":${JSON.stringify(pageLinks(base, page, total))},"data":`;
}

export function includedText(included: readonly object[]): string {
  return included.length === 0 ? '' : `,"included":${JSON.stringify(included)}`;
}

export function textAnswer(text: string): Answer {
  return { outcome: 'found', data: Buffer.from(text), next: null, notices: noNotices };
}

/** The number of items before a page. */
export function skippedBefore({ cursor, number, size }: GleifPage): number {
  return cursor?.from ?? (number - 1) * size;
}

/** The items of a page, of a list that is whole in memory. */
export function onPage<Item>(items: readonly Item[], page: GleifPage): readonly Item[] {
  const from = skippedBefore(page);
  return items.slice(from, from + page.size);
}

export function missing(type: string, id: string): Answer {
  return { outcome: 'not-found', detail: `Resource ${type} with id ${id} does not exist.` };
}
