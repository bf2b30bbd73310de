/** Writes the manifest of a finished build: what it was made from, what it holds, the digests of its files. */
import { statSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };
import { schemaVersion } from '../../lei/answers.ts';
import { timestamp } from '../../lei/timestamp.ts';
import { digestFile } from '../../publication/digest-file.ts';
import {
  formatVersion,
  type Manifest,
  type SourceFile,
  type SourceKind,
} from '../../publication/manifest.ts';
import { deltaKinds } from './delta-window.ts';
import type { Filled, Load, Plan, Staged } from './plan.ts';

export async function describeBuild(
  load: Load,
  plan: Plan,
  { id }: Staged,
  { reading, built }: Filled,
): Promise<Manifest> {
  const { layout, request, active } = load;
  return {
    id,
    formatVersion,
    schemaVersion,
    toolVersion: packageJson.version,
    sourcePublishedAt: plan.sourcePublishedAt,
    builtAt: timestamp(new Date()),
    sample: request.sample,
    basedOn: active?.manifest.id ?? null,
    delta: request.delta,
    files: filesOf(load, plan, id, reading.files),
    counts: built.counts,
    resolvableRelationships: built.resolvableRelationships,
    environment: await describeFile(layout.stagedEnvironment(id)),
    companies: await describeFile(layout.stagedCompanies(id)),
  };
}

/** What a copy keeps of its base's tables keeps their files: all but those of tables that this load replaces. */
function filesOf({ active }: Load, { copyOf }: Plan, id: string, read: readonly SourceFile[]): SourceFile[] {
  const own = read.map((file) => ({ ...file, publication: id }));
  if (active === null || copyOf === null) return own;
  const isReplaced = (kind: SourceKind) => !deltaKinds.has(kind) && read.some((file) => file.kind === kind);
  const kept = active.manifest.files.filter(({ kind }) => !isReplaced(kind));
  return [...kept.map((file) => ({ publication: active.manifest.id, ...file })), ...own];
}

async function describeFile(path: string): Promise<Manifest['environment']> {
  return { bytes: statSync(path).size, sha256: await digestFile(path) };
}
