/** Writes the manifest of a finished build: its sources, its counts, the digests of its files. */
import { statSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };
import { schemaVersion } from '../../lei/answers.ts';
import { timestamp } from '../../lei/timestamp.ts';
import { formatVersion, type Manifest, type SealedFile } from '../../publication/manifest.ts';
import { sealedDigest, segmentBytes } from '../../publication/segment-digests.ts';
import { digestFiles, type FileToDigest, fileToDigest } from '../digest/digest-files.ts';
import type { Filled, Load, Plan, Staged } from './plan.ts';
import { sourceFiles } from './source-files.ts';

export async function describeBuild(
  { layout, request, active }: Load,
  { sourcePublishedAt }: Plan,
  { id }: Staged,
  { reading, built }: Filled,
): Promise<Manifest> {
  const copy = active?.copy ?? null;
  const environment = fileToDigest(layout.stagedEnvironment(id), { known: copy?.environment ?? null });
  const companies = fileToDigest(layout.stagedCompanies(id), { known: copy?.companies ?? null });
  await digestFiles([environment, companies]);
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
    resolvableRelationships: built.resolvableRelationships,
    environment: describeFile(environment),
    companies: describeFile(companies),
  };
}

function describeFile({ path, digests }: FileToDigest): SealedFile {
  return { bytes: statSync(path).size, sha256: sealedDigest(digests), segmentBytes };
}
