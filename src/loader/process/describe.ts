/** Writes the manifest of a finished build: what it was made from, what it holds, the digests of its files. */
import { statSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };
import { schemaVersion } from '../../lei/answers.ts';
import { timestamp } from '../../lei/timestamp.ts';
import { digestFile } from '../../publication/digest-file.ts';
import { formatVersion, type Manifest } from '../../publication/manifest.ts';
import { digestBeside } from '../digest/beside.ts';
import type { Filled, Load, Plan, Staged } from './plan.ts';
import { sourceFiles } from './source-files.ts';

export async function describeBuild(
  { layout, request, active }: Load,
  { sourcePublishedAt, copyOf }: Plan,
  { id }: Staged,
  { reading, built }: Filled,
): Promise<Manifest> {
  const [environment, companies] = await Promise.all([
    describeFile(layout.stagedEnvironment(id), digestFile),
    describeFile(layout.stagedCompanies(id), digestBeside),
  ]);
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
    files: sourceFiles(copyOf === null ? null : (active?.manifest ?? null), id, reading.files),
    counts: built.counts,
    resolvableRelationships: built.resolvableRelationships,
    environment,
    companies,
  };
}

async function describeFile(path: string, digest: typeof digestFile): Promise<Manifest['environment']> {
  return { bytes: statSync(path).size, sha256: await digest(path) };
}
