/** The paths under a data folder, and the names of its publications. */
import { basename, join } from 'node:path';
import { entryOf } from './entries.ts';

/** The names of a publication's files. */
export const environmentFile = 'data.mdb';
export const companiesFile = 'companies.bin';
export const searchFile = 'search.bin';
export const manifestFile = 'manifest.json';
/** Those that the manifest describes. */
export const sealedFiles = [environmentFile, companiesFile, searchFile] as const;
/** A service adds it once it has found damage. */
export const damageFile = 'damaged';
/** A node adds it to what it has fetched (fetched.ts). */
export const fetchedFile = 'fetched';

/** Paths under one data folder. An id that is not the name of an entry is refused, wherever it comes from. */
export function layout(dataDir: string) {
  const publications = join(dataDir, 'publications');
  const staging = join(dataDir, 'staging');
  const incomings = join(dataDir, 'incoming');
  const publication = (id: string) => entryOf(publications, id);
  const staged = (id: string) => entryOf(staging, id);
  return {
    dataDir,
    publications,
    publication,
    /** A file of a publication by its name. */
    fileOf: (id: string, name: string) => join(publication(id), name),
    manifest: (id: string) => join(publication(id), manifestFile),
    /** Says what is damaged, once a service has found it. */
    damage: (id: string) => join(publication(id), damageFile),
    /** Says that a node has fetched it, until it becomes active. */
    fetched: (id: string) => join(publication(id), fetchedFile),
    environment: (id: string) => join(publication(id), environmentFile),
    companies: (id: string) => companiesIn(publication(id)),
    search: (id: string) => searchIn(publication(id)),
    staging,
    staged,
    /** Publications that are being fetched from another machine. */
    incomings,
    incoming: (id: string) => entryOf(incomings, id),
    downloads: join(dataDir, 'downloads'),
    pointer: join(dataDir, 'active.json'),
    /** The newest signed announcement that this node has taken. */
    taken: join(dataDir, 'announcement-taken.json'),
    /** When `lei update` last succeeded. */
    lastUpdate: join(dataDir, 'last-update'),
    state: join(dataDir, 'state'),
    /** Held while a publication is built and activated, and while publications are pruned. */
    loadLock: join(dataDir, 'load.lock'),
    /** Held while an update is chosen, downloaded and loaded. */
    updateLock: join(dataDir, 'update.lock'),
    /** Held by a service as long as it runs. */
    serviceLock: join(dataDir, 'service.lock'),
    controlSocket: controlSocketPath(dataDir),
  };
}

/** The company file of a publication, sealed or staged. */
export function companiesIn(folder: string): string {
  return join(folder, companiesFile);
}

/** Whether each read of a file is checked, so that it gives right bytes or none. */
export function isCheckedAsRead(path: string): boolean {
  return basename(path) === companiesFile;
}

/** The file of the search index's rows. */
export function searchIn(folder: string): string {
  return join(folder, searchFile);
}

export type Layout = ReturnType<typeof layout>;

/** Socket addresses have room for 107 bytes on Linux and 103 on macOS. */
const socketPathBytesMax = 100;

function controlSocketPath(dataDir: string): string {
  const path = join(dataDir, 'control.sock');
  if (Buffer.byteLength(path) <= socketPathBytesMax) return path;
  const digest = Bun.CryptoHasher.hash('sha256', dataDir, 'hex').slice(0, 16);
  // TMPDIR would be wrong: a service and a command may have different ones.
  return join('/tmp', `lei-${digest}.sock`);
}

/** Of an id of a publication. */
export const idPattern = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** A new publication id, which is also its dataset version: `20261004T160000Z-3f9a1c2b`. */
export function newPublicationId(sourcePublishedAt: string): string {
  const compact = sourcePublishedAt.replace(/\.\d+/, '').replace(/[-:]/g, '');
  return `${compact}-${crypto.getRandomValues(new Uint8Array(4)).toHex()}`;
}

/** The source time in a publication's id, to the second. */
export function sourceTimeOf(id: string): string {
  return id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z');
}

export function isPublicationId(value: string): boolean {
  return idPattern.test(value);
}
