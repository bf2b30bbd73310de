/** Answers with LEI issuers (the managing LOUs of a publication, with the names of their records) and with ISINs. */

import type { GleifAsk } from '../../protocol/gleif-questions.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { readCompany, recordOf } from '../look-ups.ts';
import { documentOf, type GleifTexts, listOf, missing, skippedBefore } from './document.ts';

/** No open source has marketing names, web sites and days of accreditation. */
export function issuerAttributes(publication: PublicationReader, lei: string) {
  const entity = recordOf(publication, lei);
  const name = entity === null ? null : publication.summary(entity).name;
  return { lei, name, marketingName: null, website: null, accreditationDate: null };
}

/** @param self the address of the issuer */
export function issuerRelationships(self: string) {
  const related = (name: string) => ({ links: { related: `${self}/${name}` } });
  return { jurisdictions: related('jurisdictions'), fundJurisdictions: related('fundJurisdictions') };
}

function issuerResource(publication: PublicationReader, lei: string, base: string) {
  const self = `${base}/lei-issuers/${lei}`;
  return {
    type: 'lei-issuers',
    id: lei,
    attributes: issuerAttributes(publication, lei),
    relationships: issuerRelationships(self),
    links: { self },
  };
}

type CompanyListAsk<For extends GleifAsk['for']> = Extract<GleifAsk, { for: For }>;

export function answerIssuer(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei }: CompanyListAsk<'issuer'>,
): Answer {
  const issuer = readCompany(publication, lei)?.registration.managingLou ?? null;
  if (issuer === null) return missing('lei-records', lei);
  return documentOf(texts, issuerResource(publication, issuer, texts.base));
}

/** Lists the ISINs of a company, in their order. */
export function answerIsins(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei, page }: CompanyListAsk<'isins'>,
): Answer {
  const entity = recordOf(publication, lei);
  if (entity === null) return missing('lei-records', lei);
  const from = skippedBefore(page);
  const { total, items } = publication.isins(entity, null, from + page.size);
  const shown = items
    .slice(from)
    .map((isin) => ({ type: 'isins', id: `${lei}|${isin}`, attributes: { lei, isin } }));
  return listOf(texts, page, total, shown);
}
