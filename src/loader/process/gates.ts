/** Checks that a finished build passes its gates before it is sealed. An operator can skip each by its name. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import type { Manifest } from '../../publication/manifest.ts';
import type { BuildResult } from '../build/build.ts';
import {
  type GateLimits,
  type GateName,
  LoadFailure,
  type LoadReport,
  type LoadRequest,
} from '../load-request.ts';

interface GateInput {
  readonly built: BuildResult;
  /** Manifest of the active publication; null if there is none, or only the bundled sample. */
  readonly active: Manifest | null;
  /** Companies of this load, evenly spaced. */
  readonly sampled: readonly LegalEntityRecord[];
  /** The fault of the first record that does not read back as it was loaded; null if all do. */
  readonly misreadSample: string | null;
  /** Companies that a search for their own names does not find. */
  readonly failedCanaries: readonly string[];
  readonly limits: GateLimits;
}

/** Returns why it refuses, or null. */
type Gate = (input: GateInput) => string | null;

/**
 * An active publication with fewer companies is no basis for comparison: one company of a handful exceeds any share.
 */
const comparedEntitiesMin = 100;

/** Least share of sampled companies with a legal name. A few may lack it; if nearly all do, a column is missing. */
const namedShareMin = 0.1;

/** The gates that compare with the active publication. */
const comparing: ReadonlySet<string> = new Set<GateName>(['entity-count', 'resolvable-relationships']);

/** All gates except `bad-rows`, which {@link passBadRows} checks earlier. */
const gates: Readonly<Partial<Record<GateName, Gate>>> = {
  'entity-count': ({ built, active, limits }) => {
    if (active === null) return null;
    const least = Math.ceil(active.counts.entities * limits.entitiesShareMin);
    if (built.counts.entities >= least) return null;
    return `it has ${built.counts.entities} entities; the active ${active.id} has ${active.counts.entities}, so at least ${least} were expected`;
  },
  'resolvable-relationships': ({ built, active, limits }) => {
    if (active === null || active.counts.relationships === 0 || built.counts.relationships === 0) return null;
    const before = active.resolvableRelationships / active.counts.relationships;
    const now = built.resolvableRelationships / built.counts.relationships;
    if (now >= before - limits.resolvableDropMax) return null;
    return `${percent(now)} of its relationships have a record at both ends; in the active ${active.id} ${percent(before)} have`;
  },
  'sampled-records': ({ misreadSample }) => misreadSample,
  'company-names': ({ sampled }) => {
    const named = sampled.filter(({ entity }) => entity.legalName.name.trim() !== '').length;
    if (named >= sampled.length * namedShareMin) return null;
    return `${named} of ${sampled.length} sampled companies have a legal name, so searches would find almost none; a column of the files may be missing or have another name`;
  },
  'canary-queries': ({ failedCanaries }) =>
    failedCanaries.length === 0 ? null : `a search does not find ${failedCanaries.join(', ')}`,
};

/** @throws LoadFailure `gate`, naming each gate that refused, its reason and how to override it */
export function passGates(
  input: GateInput,
  { skippedGates, delta }: Pick<LoadRequest, 'skippedGates' | 'delta'>,
  report: LoadReport,
): void {
  const command = delta ? 'lei load --delta' : 'lei load';
  const refusals: string[] = [];
  const isHandful = input.active !== null && input.active.counts.entities < comparedEntitiesMin;
  for (const [name, gate] of Object.entries(gates)) {
    const reason = gate(input);
    if (reason === null) continue;
    if (skippedGates.some((skipped) => skipped === name))
      report.message(`Gate ${name} was skipped: ${reason}.`);
    else if (isHandful && comparing.has(name))
      report.message(
        `Warning: ${reason}; the active publication has fewer than ${comparedEntitiesMin} companies, so this gate only warns.`,
      );
    else
      refusals.push(
        `Gate ${name} refused the publication: ${reason} (${command} FILE… --skip-gate ${name} overrides this).`,
      );
  }
  if (refusals.length > 0) throw new LoadFailure('gate', refusals.join('\n'));
}

/**
 * The gate on bad rows. It comes as soon as all rows are read, before the long rest of the build.
 * @throws LoadFailure `bad-rows`
 */
export function passBadRows(
  { rows, rejected }: { rows: number; rejected: number },
  { limits, skippedGates }: Pick<LoadRequest, 'limits' | 'skippedGates'>,
  report: LoadReport,
): void {
  const share = rejected / Math.max(1, rows + rejected);
  if (share <= limits.badRowsShareMax) return;
  const reason = `${rejected} of ${rows + rejected} rows are bad (${percent(share)}; ${percent(limits.badRowsShareMax)} are tolerated)`;
  if (!skippedGates.includes('bad-rows')) {
    throw new LoadFailure(
      'bad-rows',
      `Gate bad-rows refused the load: ${reason}. Nothing was changed. LEI_MAX_BAD_ROWS or, for lei load, --max-bad-rows sets the limit.`,
    );
  }
  report.message(`Gate bad-rows was skipped: ${reason}.`);
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
