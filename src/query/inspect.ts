/**
 * Reads samples from all over a publication, through the reader that answers. This runs when a publication is opened:
 * it finds a damaged environment before a caller does, and warms the pages that the first questions need.
 */

import type { PublicationReader } from '../store/publication-reader.ts';
import { leiInJson } from '../store/render-company.ts';

/** Enough to touch every table's upper pages, few enough to take milliseconds. */
const samplesMax = 256;
/** Words that company names contain. The index is read whether or not there are hits. */
const sampleQueries = ['bank', 'capital fund', 'société'];

/** Throws if a sample can't be read or contradicts another. */
export function inspect(publication: PublicationReader): void {
  const step = Math.ceil(publication.lastEntity / samplesMax);
  for (let entity = 1; entity <= publication.lastEntity; entity += step) inspectEntity(publication, entity);
  for (const q of sampleQueries) {
    publication.search.search({ q, country: null, status: null, after: null, limit: 20 });
  }
}

function inspectEntity(publication: PublicationReader, entity: number): void {
  const { lei } = publication.summary(entity);
  const entry = publication.find(lei);
  if (entry?.entity !== entity) {
    throw new Error(
      `Publication ${publication.id} is damaged: entity ${entity} (${lei}) is not in its directory.`,
    );
  }
  publication.relationships(entity);
  publication.exceptions(entity);
  const company = publication.company(entity);
  if ((company !== null) !== entry.hasRecord || (company !== null && leiInJson(company.json) !== lei)) {
    throw new Error(
      `Publication ${publication.id} is damaged: the record of ${lei} does not match its entry.`,
    );
  }
}
