/** Checks that a finished build must pass before it may be sealed. Each has a name by which it can be skipped. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import type { Manifest } from '../../publication/manifest.ts';
import type { Built } from '../build/build.ts';
import { type GateLimits, type GateName, LoadFailure, type LoadReport } from '../load-request.ts';

export interface GateInput {
  readonly built: Built;
  /** The publication that is active; null where there is none, or only the bundled sample. */
  readonly active: Manifest | null;
  /** Companies of the load, chosen evenly. */
  readonly sampled: readonly LegalEntityRecord[];
  /** What is wrong with a record that was read back; null where nothing is. */
  readonly misreadSample: string | null;
  readonly failedCanaries: readonly string[];
  readonly limits: GateLimits;
}

type Gate = (input: GateInput) => string | null;

/** Companies from which on the active publication is a measure: of a handful, a single one is more than any share. */
const measureLeast = 100;

/** A single company may lack its name; where nearly all do, the files are not what they should be. */
const namedShareMin = 0.1;

/** The gates that measure by the active publication. */
const measuring: ReadonlySet<string> = new Set<GateName>(['entity-count', 'resolvable-relationships']);

/** Bad rows are checked where they are at hand. */
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
    const named = sampled.filter(({ entity }) => (entity.legalName.name ?? '').trim() !== '').length;
    if (named >= sampled.length * namedShareMin) return null;
    return `${named} of ${sampled.length} sampled companies have a legal name, so that hardly a search would find one; a column of the files may be missing or have another name`;
  },
  'canary-queries': ({ failedCanaries }) =>
    failedCanaries.length === 0 ? null : `a search does not find ${failedCanaries.join(', ')}`,
};

/** @throws LoadFailure `gate` naming each gate that refused, why, and how to override it */
export function passGates(input: GateInput, skipped: readonly GateName[], report: LoadReport): void {
  const refusals: string[] = [];
  const handful = input.active !== null && input.active.counts.entities < measureLeast;
  for (const [name, gate] of Object.entries(gates)) {
    const reason = gate(input);
    if (reason === null) continue;
    if (skipped.some((skippedName) => skippedName === name))
      report.message(`Gate ${name} was skipped: ${reason}.`);
    else if (handful && measuring.has(name))
      report.message(`Warning: ${reason}; under ${measureLeast} companies, that refuses nothing.`);
    else
      refusals.push(
        `Gate ${name} refused the publication: ${reason} (lei load FILE… --skip-gate ${name} overrides this).`,
      );
  }
  if (refusals.length > 0) throw new LoadFailure('gate', refusals.join('\n'));
}

/**
 * The gate on bad rows, passed as soon as all rows are read, before the long rest of the build.
 * @throws LoadFailure `bad-rows`
 */
export function passBadRows(
  { rows, rejected }: { rows: number; rejected: number },
  limits: GateLimits,
  skipped: readonly GateName[],
  report: LoadReport,
): void {
  const share = rejected / Math.max(1, rows + rejected);
  if (share <= limits.badRowsShareMax) return;
  const reason = `${rejected} of ${rows + rejected} rows are bad (${percent(share)}; ${percent(limits.badRowsShareMax)} are tolerated)`;
  if (!skipped.includes('bad-rows')) {
    throw new LoadFailure(
      'bad-rows',
      `${reason}. Nothing was changed (LEI_MAX_BAD_ROWS, or lei load FILE… --max-bad-rows, sets what is tolerated).`,
    );
  }
  report.message(`Gate bad-rows was skipped: ${reason}.`);
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
