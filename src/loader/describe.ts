/** The manifest of a finished build. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { schemaVersion } from '../lei/answers.ts';
import { timestamp } from '../lei/timestamp.ts';
import type { Layout } from '../publication/layout.ts';
import { formatVersion, type Manifest } from '../publication/manifest.ts';
import type { Active } from './active.ts';
import type { Built } from './build/build.ts';
import type { LoadRequest } from './load-request.ts';
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
  const environment = layout.stagedEnvironment(id);
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
    environment: { bytes: sizeOf(environment), sha256: await digestFile(environment) },
  };
}

/** SHA-256 of a file of any size, in hexadecimal. */
async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}

/** Says where the bytes of a publication's environment are not those it was sealed with; null where they are. */
export async function digestDifference(
  layout: Layout,
  { id, environment }: Manifest,
): Promise<string | null> {
  const path = layout.environment(id);
  const found = await digestFile(path);
  if (found === environment.sha256) return null;
  return `${path} has SHA-256 ${found}, not the ${environment.sha256} it was sealed with.`;
}
