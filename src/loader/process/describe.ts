/** The manifest of a finished build. */
import packageJson from '../../../package.json' with { type: 'json' };
import { schemaVersion } from '../../lei/answers.ts';
import { timestamp } from '../../lei/timestamp.ts';
import type { Layout } from '../../publication/layout.ts';
import { formatVersion, type Manifest } from '../../publication/manifest.ts';
import type { Built } from '../build/build.ts';
import { digestFile } from '../digest.ts';
import type { LoadRequest } from '../load-request.ts';
import type { Active } from './active.ts';
import type { Reading } from './read-rows.ts';
import { sizeOf } from './staging.ts';

export interface Described {
  readonly id: string;
  readonly sourcePublishedAt: string;
  readonly request: LoadRequest;
  readonly active: Active | null;
  readonly reading: Pick<Reading, 'files'>;
  readonly built: Built;
}

export async function describeBuild(layout: Layout, described: Described): Promise<Manifest> {
  const { id, request, built } = described;
  return {
    id,
    formatVersion,
    schemaVersion,
    toolVersion: packageJson.version,
    sourcePublishedAt: described.sourcePublishedAt,
    builtAt: timestamp(new Date()),
    sample: request.sample,
    basedOn: described.active?.manifest.id ?? null,
    delta: request.delta,
    files: [...described.reading.files],
    counts: built.counts,
    resolvableRelationships: built.resolvableRelationships,
    environment: await asSealed(layout.stagedEnvironment(id)),
    companies: await asSealed(layout.stagedCompanies(id)),
  };
}

async function asSealed(path: string): Promise<Manifest['environment']> {
  return { bytes: sizeOf(path), sha256: await digestFile(path) };
}
