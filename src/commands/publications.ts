/** `lei publications` lists the publications of the data folder; `lei verify [ID]` checks one. */
import { ExpectedFailure, reasonOf } from '../errors.ts';
import { verifySealed } from '../loader/command/verify/verify-sealed.ts';
import type { Layout } from '../publication/layout.ts';
import { bytesOf } from '../publication/manifest-facts.ts';
import { readablePointer } from '../publication/pointer.ts';
import { readManifest, sealedIds } from '../publication/sealed.ts';
import { checkCompanyFile } from '../store/company-file.ts';
import { checkRowFile } from '../store/search/open-index.ts';
import { chosenId, tellStaged } from './data-folder.ts';
import { CommandFailure, command } from './frame.ts';
import { megabytes, textTable } from './result-texts.ts';

export function publicationsCommand() {
  return command('publications', 'list the publications of the data folder', async ({ layout, result }) => {
    const listed = listPublications(layout);
    const lines =
      listed.length === 0
        ? ['There is no publication yet: run lei load.']
        : [...table(listed), ...advice(listed)];
    const staged = tellStaged(layout);
    result(listed, staged === null ? lines : [...lines, '', staged]);
  });
}

type ListedPublication = ReturnType<typeof listPublications>[number];

/** Newest source time first. */
function listPublications(layout: Layout) {
  const pointer = readablePointer(layout);
  const activations = pointer === null ? [] : [pointer, ...pointer.previous];
  return sealedIds(layout).map((id) => {
    const reading = readManifest(layout, id);
    const manifest = reading.outcome === 'sound' ? reading.manifest : null;
    return {
      id,
      datasetVersion: id,
      active: pointer?.id === id,
      /** Its last activation here; null if it was never active. */
      activatedAt: activations.find((activation) => activation.id === id)?.activatedAt ?? null,
      ...(reading.outcome === 'sound'
        ? stateOf(layout, id)
        : { state: reading.outcome, problem: reading.message }),
      sourcePublishedAt: manifest?.sourcePublishedAt ?? null,
      builtAt: manifest?.builtAt ?? null,
      sample: manifest?.sample ?? false,
      delta: manifest?.delta ?? false,
      basedOn: manifest?.basedOn ?? null,
      counts: manifest?.counts ?? null,
      /** Size on disk without the manifest. */
      bytes: manifest === null ? null : bytesOf(manifest),
    };
  });
}

/**
 * `sound`, or why it can't be served. A publication of an earlier version has a matching manifest, but a company file
 * that this version does not read, or no file of the search index.
 */
function stateOf(layout: Layout, id: string): { state: string; problem: string | null } {
  try {
    checkCompanyFile(layout.companies(id), id);
    checkRowFile(layout.search(id));
    return { state: 'sound', problem: null };
  } catch (error) {
    return { state: error instanceof ExpectedFailure ? 'other-format' : 'damaged', problem: reasonOf(error) };
  }
}

function table(listed: readonly ListedPublication[]): readonly string[] {
  const rows = listed.map((publication) => [
    publication.active ? '*' : '',
    publication.id,
    count(publication.counts?.entities),
    count(publication.counts?.relationships),
    count(publication.counts?.changes),
    publication.bytes === null ? '' : megabytes(publication.bytes),
    publication.builtAt === null ? '' : age(publication.builtAt),
    [
      publication.state,
      publication.sample ? 'sample' : '',
      publication.delta ? 'delta' : '',
      publication.activatedAt === null ? 'never active' : '',
    ]
      .filter(Boolean)
      .join(', '),
  ]);
  const heads = ['', 'ID (DATASET VERSION)', 'ENTITIES', 'RELATIONSHIPS', 'CHANGES', 'SIZE', 'AGE', 'STATE'];
  return textTable(heads, rows);
}

/** A load that ended between sealing and activation leaves a publication that would otherwise go unnoticed. */
function advice(listed: readonly ListedPublication[]): readonly string[] {
  const never = listed.filter(({ activatedAt, state }) => activatedAt === null && state === 'sound');
  if (never.length === 0) return [];
  const keep = listed.length - never.length;
  const prune = keep === 0 ? '' : `; lei prune --keep ${keep} deletes it`;
  return [
    '',
    `"never active": the publication was built but not activated. lei activate ID activates it${prune}.`,
  ];
}

function count(value: number | undefined): string {
  return value === undefined ? '' : value.toLocaleString('en');
}

/** Time since it was built: in minutes, from one hour on in hours, from two days on in days. */
function age(builtAt: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(builtAt)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

/** Checks from the bytes to the last record. */
export function verifyCommand() {
  return command('verify', 'check a publication: digests, counts, every record', async (context, [given]) => {
    const { layout } = context;
    const id = chosenId(layout, given);
    const verification = await verifySealed(layout, id, (phase) => context.say(`Checking ${phase} …`));
    const { sound, problems, checked } = verification;
    if (!sound) throw new CommandFailure('not-sound', [`Publication ${id} is not sound:`, ...problems]);
    const total = Object.values(checked).reduce((sum, count) => sum + count, 0);
    context.result(verification, `Publication ${id} is sound (${total.toLocaleString('en')} items checked).`);
  }).argument('[id]', 'id of the publication (default: the active one)');
}
