/** Writes the manifest of a finished build: its sources, its counts, the digests of its files. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { timestamp } from '../../lei/dates.ts';
import { schemaVersion } from '../../lei/schema-version.ts';
import { companiesFile, environmentFile, searchFile } from '../../publication/layout.ts';
import type { Manifest, SealedFile, SourceFile, SourceKind } from '../../publication/manifest.ts';
import { formatVersion, type NamedFile } from '../../publication/manifest-facts.ts';
import { sealedDigest, segmentBytes } from '../../publication/segment-digests.ts';
import { digestFiles, type FileToDigest, fileToDigest } from '../digest/digest-files.ts';
import { deltaKinds } from './delta-window.ts';
import type { FilledTables, Load, LoadPlan, StagedPublication } from './plan.ts';

export async function describeBuild(
  load: Load,
  { sourcePublishedAt }: LoadPlan,
  staged: StagedPublication,
  { reading, built, companies: digested }: FilledTables,
): Promise<Manifest> {
  const { request, active } = load;
  const { id } = staged;
  const copy = active?.copy ?? null;
  const environment = toDigest(load, staged, environmentFile);
  const search = toDigest(load, staged, searchFile);
  const companies = digested ?? toDigest(load, staged, companiesFile);
  await digestFiles(digested === null ? [environment, search, companies] : [environment, search]);
  return {
    id,
    formatVersion,
    schemaVersion,
    toolVersion: packageJson.version,
    sourcePublishedAt,
    builtAt: timestamp(new Date()),
    sample: request.sample,
    basedOn: active?.manifest.id ?? null,
    delta: request.delta,
    files: sourceFiles(copy === null ? null : (active?.manifest ?? null), id, reading.files),
    counts: built.counts,
    countries: [...built.countries],
    resolvableRelationships: built.resolvableRelationships,
    environment: describeFile(environment),
    companies: describeFile(companies),
    search: describeFile(search),
  };
}

/** A file of a build. Of one that was copied, the digests are known. */
function toDigest({ active }: Load, { folder }: StagedPublication, name: NamedFile['name']): FileToDigest {
  return fileToDigest(join(folder, name), { known: active?.copy?.digests.get(name) ?? null });
}

/** Digests a finished company file. */
export async function digestCompanies(load: Load, staged: StagedPublication): Promise<FileToDigest> {
  const companies = toDigest(load, staged, companiesFile);
  await digestFiles([companies]);
  return companies;
}

function describeFile({ path, digests }: FileToDigest): SealedFile {
  return { bytes: statSync(path).size, sha256: sealedDigest(digests), segmentBytes };
}

/**
 * Files of one kind that a manifest lists. Deltas every eight hours reach it after a month; then the oldest delta is
 * left out, never the full set's file. This keeps the body of the status, which is not counted, small
 * (bodyLimits.weighedBytes).
 */
export const filesOfKindMax = 100;

/**
 * @param copied the publication that this one is a copy of; null for none
 * @param id of this publication
 * @param read the files of this load
 */
export function sourceFiles(
  copied: Pick<Manifest, 'id' | 'files'> | null,
  id: string,
  read: readonly SourceFile[],
): SourceFile[] {
  const own = read.map((file) => ({ ...file, publication: id }));
  if (copied === null) return own;
  const isReplaced = (kind: SourceKind) => !deltaKinds.has(kind) && read.some((file) => file.kind === kind);
  const kept = copied.files.filter(({ kind }) => !isReplaced(kind));
  return withoutOldest([...kept.map((file) => ({ publication: copied.id, ...file })), ...own]);
}

function withoutOldest(files: SourceFile[]): SourceFile[] {
  const byKind = Object.values(Object.groupBy(files, ({ kind }) => kind));
  const surplus = new Set(byKind.flatMap((ofKind) => ofKind.slice(1, 1 - filesOfKindMax)));
  return files.filter((file) => !surplus.has(file));
}
