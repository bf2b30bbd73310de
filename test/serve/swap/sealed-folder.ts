/**
 * Makes sealed publications on disk with the parts that the front reads: a manifest and an environment of the stated
 * size.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Layout } from '../../../src/publication/layout.ts';
import type { Manifest } from '../../../src/publication/manifest.ts';
import { manifestOf } from '../../support/manifest.ts';

export function sealPublication(layout: Layout, id: string, said: Partial<Manifest> = {}): Manifest {
  const environment = 'environment';
  const manifest = manifestOf(id, { environment: { bytes: environment.length, sha256: '' }, ...said });
  mkdirSync(layout.publication(id), { recursive: true });
  writeFileSync(layout.environment(id), environment);
  writeFileSync(layout.manifest(id), JSON.stringify(manifest));
  return manifest;
}
