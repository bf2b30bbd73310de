/** The steps of all commands that make a publication: shows progress, tells the running service, activates. */

import { reasonOf } from '../errors.ts';
import { timestamp } from '../lei/dates.ts';
import { isLoadRunning } from '../loader/command/load-lock.ts';
import { loadInterrupted, runLoader } from '../loader/command/run-loader.ts';
import { loaderLimits } from '../loader/limits.ts';
import type { LoadOutcome, LoadRequest } from '../loader/load-request.ts';
import type { WorkOutcome } from '../ports/observer.ts';
import type { Failure, Loading } from '../protocol/control.ts';
import { controlClient } from '../protocol/control-client.ts';
import { controlLimits } from '../protocol/control-limits.ts';
import type { Layout } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';
import { readablePointer } from '../publication/pointer.ts';
import { activate, deleteOutdated } from './activate.ts';
import { CommandFailure, type Context, wholeNumber } from './frame.ts';
import { progressDisplay } from './progress.ts';
import { counted } from './result-texts.ts';
import { onInterrupt } from './signals.ts';

/** The option of every command that loads. */
export const threadsOption = [
  '--threads <n>',
  `cores to use, 1 to ${loaderLimits.threadsMax} (default: 1 beside a running service, else all, at most ${loaderLimits.threadsUsual})`,
  wholeNumber(1, loaderLimits.threadsMax),
] as const;

/** Adds the value of {@link threadsOption} to a request; nothing without the option. */
export function readThreads(given: unknown): Pick<LoadRequest, 'threads'> {
  return typeof given === 'number' ? { threads: given } : {};
}

export interface LoadResult extends LoadOutcome {
  readonly active: boolean;
  /** Whether a running service serves it. */
  readonly served: boolean;
}

/**
 * Builds a publication and makes it the active one, and reports progress to the operator and to a running service.
 * @throws ExpectedFailure if it fails; the active publication has not changed then, unless the service ended in the
 *   middle of its swap
 */
export async function loadAndActivate(
  context: Context,
  request: LoadRequest,
  options: { readonly activate: boolean },
): Promise<LoadResult> {
  // Start with this, because the service may take long to answer.
  using interrupt = onInterrupt(loadInterrupted());
  const { signal } = interrupt;
  const { layout } = context;
  const running = (await controlClient(layout).send({ op: 'ping' })) !== 'not-running';
  using display = progressDisplay();
  const teller = serviceTeller(layout, running);
  let activated = { active: false, served: false };
  try {
    const outcome = await runLoader(
      request,
      {
        progress: (progress) => {
          display.update(progress);
          teller.loading(progress.phase, progress.progress);
        },
        message: display.message,
      },
      {
        besideService: running,
        signal,
        activate: async ({ manifest }) => {
          if (!options.activate) return teller.done(null);
          if (request.delta || request.purpose === 'history') refuseOtherBase(layout, manifest);
          teller.loading('activating', 0.99);
          // The signal also ends the wait for a service that hangs.
          const client = controlClient(layout, signal);
          activated = { active: true, ...(await activate(layout, manifest.id, 'forward', client)) };
          if (!activated.served) await clearUp(layout, context.config.keepPublications, display.message);
          // Tell the service before the lock ends: a reported load without a lock counts as killed.
          await teller.done(null);
        },
      },
    );
    return { ...outcome, ...activated };
  } catch (error) {
    // Another load holds the lock, so this one has not begun.
    await (isLoadRunning(error) ? teller.over(null) : teller.done(reasonOf(error)));
    throw error;
  }
}

/**
 * A delta or a history is a copy of the publication that was active when it began. If the operator rolls back
 * meanwhile, activating the copy would undo the rollback.
 */
function refuseOtherBase(layout: Layout, { id, basedOn }: Manifest): void {
  const active = readablePointer(layout)?.id ?? null;
  if (active === null || active === basedOn) return;
  throw new CommandFailure(
    'active-changed',
    `${id} was built on ${basedOn}, but ${active} became active in the meantime and stays active. Load again to build on ${active}, or run lei activate ${id} to activate this one anyway.`,
  );
}

/** The pointer has moved, so failing to delete a publication does not fail the load. */
async function clearUp(layout: Layout, keep: number, say: (message: string) => void): Promise<void> {
  try {
    await deleteOutdated(layout, keep);
  } catch (error) {
    say(`Warning: An outdated publication could not be deleted: ${reasonOf(error)}`);
  }
}

/** Pause between two reports to the service about one phase. */
const tellEveryMs = 500;

/** Repeats an action. @returns a function that ends it */
type RepeatAction = (action: () => void) => () => void;

/** Its timer keeps no command alive. */
const byTimer: RepeatAction = (action) => {
  const timer = setInterval(action, controlLimits.loadingRetoldMs);
  timer.unref();
  return () => clearInterval(timer);
};

/**
 * Reports a load to a running service, for its status. A load continues without a listening service. The last report is
 * repeated while nothing new happens, because the service forgets a silent load.
 */
export function serviceTeller(layout: Layout, running: boolean, repeat: RepeatAction = byTimer) {
  const client = controlClient(layout);
  const startedAt = timestamp(new Date());
  let told: Loading | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  let telling: Promise<void> | null = null;
  const send = async (loading: Loading | null, failure: Failure | null, outcome?: WorkOutcome) => {
    if (running) await client.send({ op: 'loading', loading, failure, ...(outcome && { outcome }) });
  };
  let isDue = false;
  const tellLatest = async () => {
    do {
      isDue = false;
      await send(told, null);
    } while (isDue);
    telling = null;
  };
  // Send one report at a time, so that they arrive in order and do not pile up.
  const tell = () => {
    if (told === null) return;
    isDue = true;
    telling ??= tellLatest();
  };
  const endRepeating = repeat(tell);
  /** @param message why it failed; null if it succeeded */
  const end = async (message: string | null, phase: string, outcome?: WorkOutcome) => {
    endRepeating();
    isDue = false;
    await telling;
    const failure = message === null ? null : { at: timestamp(new Date()), phase, message };
    if (failure !== null || told !== null) await send(null, failure, outcome);
  };
  return {
    loading(phase: string, progress: number) {
      if (phase === told?.phase && performance.now() - toldAt < tellEveryMs) return;
      told = { phase, progress, startedAt };
      toldAt = performance.now();
      tell();
    },
    /** A load has ended. @param message why it failed; null if it succeeded */
    done: (message: string | null) =>
      end(message, told?.phase ?? 'starting', message === null ? 'ok' : 'failed'),
    /**
     * Reports the end of anything but a load: of a search for files, a download, or a load that another one prevented.
     */
    over: (message: string | null, phase = '') => end(message, phase),
  };
}

/** The result of a finished load, as JSON and as text. */
export function describeLoaded({
  manifest,
  rows,
  rejected,
  superseded,
  deleted,
  active,
  served,
}: LoadResult) {
  const { id, sourcePublishedAt, counts, sample, delta, basedOn } = manifest;
  const rejectedTotal = Object.values(rejected).reduce((sum, count) => sum + count, 0);
  const state = active ? (served ? 'active, and served' : 'active') : 'sealed, not active';
  return {
    value: {
      publication: { id, datasetVersion: id, sourcePublishedAt, active, sample, delta, basedOn, counts },
      rows,
      rejected,
      superseded,
      deleted,
    },
    text: `Publication ${id} is ${state}: ${counted(counts.entities, 'company', 'companies')}, ${counted(counts.relationships, 'relationship')}, ${counted(rejectedTotal, 'bad row')}.`,
  };
}
