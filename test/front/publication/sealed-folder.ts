/** Sealed publications on disk as far as the front looks at them: a manifest and an environment of that size. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Layout } from '../../../src/publication/layout.ts';
import { formatVersion, type Manifest } from '../../../src/publication/manifest.ts';

export function sealPublication(layout: Layout, id: string, changes: Partial<Manifest> = {}): Manifest {
  const environment = 'environment';
  const manifest: Manifest = {
    id,
    formatVersion,
    schemaVersion: '1.0.0',
    toolVersion: '0.1.0',
    sourcePublishedAt: '2026-10-04T16:00:00Z',
    builtAt: '2026-10-04T17:00:00Z',
    sample: false,
    basedOn: null,
    delta: false,
    files: [],
    counts: {
      entities: 1,
      relationships: 0,
      reportingExceptions: 0,
      changes: 0,
      snapshots: 0,
      bic: 0,
      isin: 0,
      mic: 0,
      gem: 0,
      qcc: 0,
    },
    resolvableRelationships: 0,
    environment: { bytes: environment.length, sha256: '' },
    ...changes,
  };
  mkdirSync(layout.publication(id), { recursive: true });
  writeFileSync(layout.environment(id), environment);
  writeFileSync(layout.manifest(id), JSON.stringify(manifest));
  return manifest;
}
