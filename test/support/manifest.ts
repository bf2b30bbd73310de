/** Makes manifests for tests that load nothing. */
import { byKind, identifierKinds } from '../../src/lei/identifier-kinds.ts';
import type { Manifest } from '../../src/publication/manifest.ts';
import { formatVersion } from '../../src/publication/manifest-facts.ts';

const counts = {
  entities: 1,
  relationships: 0,
  reportingExceptions: 0,
  changes: 0,
  snapshots: 0,
  ...byKind(identifierKinds, () => 0),
};

/** A plausible manifest with the given members replaced. */
export function manifestOf(id: string, replaced: Partial<Manifest> = {}): Manifest {
  return {
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
    counts,
    resolvableRelationships: 0,
    environment: { bytes: 1, sha256: '0'.repeat(64) },
    ...replaced,
  };
}
