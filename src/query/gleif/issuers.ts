/** Shows LEI issuers: the managing LOUs of a publication, with the names of their records. */
import type { PublicationReader } from '../../store/publication-reader.ts';

/** No open source has marketing names, web sites and days of accreditation. */
export function issuerAttributes(publication: PublicationReader, lei: string) {
  const entry = publication.find(lei);
  const name = entry?.hasRecord === true ? publication.summary(entry.entity).name : null;
  return { lei, name, marketingName: null, website: null, accreditationDate: null };
}

/** @param self the address of the issuer */
export function issuerRelationships(self: string) {
  const related = (name: string) => ({ links: { related: `${self}/${name}` } });
  return { jurisdictions: related('jurisdictions'), fundJurisdictions: related('fundJurisdictions') };
}

export function issuerResource(publication: PublicationReader, lei: string, base: string) {
  const self = `${base}/lei-issuers/${lei}`;
  return {
    type: 'lei-issuers',
    id: lei,
    attributes: issuerAttributes(publication, lei),
    relationships: issuerRelationships(self),
    links: { self },
  };
}
