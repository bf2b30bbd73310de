/** Manifests for tests that load nothing. */
import { formatVersion, type Manifest } from '../../src/publication/manifest.ts';

const counts = {
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
