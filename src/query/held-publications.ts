/**
 * Manages the publications that a query thread has open: the active one, earlier ones for cursors, one being swapped
 * in.
 */
import { reasonOf } from '../errors.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { leiInJson } from '../store/render-company.ts';
import { queryLimits } from './limits.ts';

export interface HeldPublications {
  /** The open ones by id; the one that has been open longest comes first. */
  readonly byId: ReadonlyMap<string, PublicationReader>;
  /** Opens a publication. Null on success, and if it is already open; otherwise why not. */
  open(id: string): Promise<string | null>;
  /** Closes a publication, if it is open. */
  close(id: string): Promise<void>;
  closeAll(): Promise<void>;
}

export function holdPublications(open: (id: string) => Promise<PublicationReader>): HeldPublications {
  const byId = new Map<string, PublicationReader>();
  const close = async (id: string) => {
    const publication = byId.get(id);
    byId.delete(id);
    await publication?.close();
  };
  return {
    byId,
    async open(id) {
      if (byId.has(id)) return null;
      if (byId.size >= queryLimits.heldPublicationsMax) {
        return `The thread already holds ${byId.size} publications: ${[...byId.keys()].join(', ')}.`;
      }
      try {
        byId.set(id, await openInspected(open, id));
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
    close,
    async closeAll() {
      for (const id of [...byId.keys()]) await close(id);
    },
  };
}

/** Opens a publication and reads samples of it. Rejects, with it closed again, if a sample is wrong. */
export async function openInspected(
  open: (id: string) => Promise<PublicationReader>,
  id: string,
): Promise<PublicationReader> {
  const publication = await open(id);
  try {
    inspect(publication);
    return publication;
  } catch (error) {
    await publication.close();
    throw error;
  }
}

/** Enough to touch every table's upper pages, few enough to take milliseconds. */
const samplesMax = 256;
/** Words that company names contain. The index is read whether or not there are hits. */
const sampleQueries = ['bank', 'capital fund', 'société'];

/**
 * Reads samples from all over a publication, through the reader that answers. This runs when a publication is opened:
 * it finds a damaged environment before a caller does, and warms the pages that the first questions need.
 *
 * Throws if a sample can't be read or contradicts another.
 */
function inspect(publication: PublicationReader): void {
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
