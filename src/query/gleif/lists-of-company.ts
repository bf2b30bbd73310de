/** Answers with the issuer and the ISINs of a company. */
import type { GleifAsk } from '../../protocol/gleif-questions.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { documentOf, type GleifTexts, listOf, missing, skippedBefore } from './document.ts';
import { issuerResource } from './issuers.ts';
import { recordOf } from './records.ts';

type CompanyListAsk<For extends GleifAsk['for']> = Extract<GleifAsk, { for: For }>;

export function answerIssuer(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei }: CompanyListAsk<'issuer'>,
): Answer {
  const issuer = recordOf(publication, lei)?.registration.managingLou ?? null;
  if (issuer === null) return missing('lei-records', lei);
  return documentOf(texts, issuerResource(publication, issuer, texts.base));
}

/** By ISIN. */
export function answerIsins(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei, page }: CompanyListAsk<'isins'>,
): Answer {
  const entry = publication.find(lei);
  if (entry?.hasRecord !== true) return missing('lei-records', lei);
  const from = skippedBefore(page);
  const { total, items } = publication.isins(entry.entity, null, from + page.size);
  const shown = items
    .slice(from)
    .map((isin) => ({ type: 'isins', id: `${lei}|${isin}`, attributes: { lei, isin } }));
  return listOf(texts, page, total, shown);
}
