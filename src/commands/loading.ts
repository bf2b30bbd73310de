/** What every command that makes a publication shares: progress, the running service's knowledge, activation. */
import { limits } from '../config.ts';
import { reasonOf } from '../errors.ts';
import { timestamp } from '../lei/timestamp.ts';
import { loadInterrupted, runLoader } from '../loader/command/run-loader.ts';
import type { LoadOutcome, LoadRequest } from '../loader/load-request.ts';
import type { Failure, Loading } from '../protocol/control.ts';
import { controlClient } from '../protocol/control-client.ts';
import { type Layout, layout as layoutOf } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';
import { readablePointer } from '../publication/pointer.ts';
import { activate, deleteOutdated } from './activation.ts';
import { CommandFailure, type Context } from './frame.ts';
import { progressDisplay } from './load-progress.ts';
import { onInterrupt } from './signals.ts';

export interface Loaded extends LoadOutcome {
  readonly active: boolean;
  /** Whether a running service serves it. */
  readonly served: boolean;
}

/**
 * Builds a publication and makes it the active one, telling the operator and a running service how far it is.
 * @throws ExpectedFailure where it fails; the active publication has not changed then, unless the running service ended
 * in the middle of its swap
 */
export async function loadAndActivate(
  context: Context,
  request: LoadRequest,
  options: { readonly activate: boolean },
): Promise<Loaded> {
  // Before the service is asked, which may take its time to answer.
  const { signal, release } = onInterrupt(loadInterrupted());
  try {
    return await loadUntil(signal, context, request, options);
  } finally {
    release();
  }
}

async function loadUntil(
  signal: AbortSignal,
  context: Context,
  request: LoadRequest,
  options: { readonly activate: boolean },
): Promise<Loaded> {
  const layout = layoutOf(context.config.dataDir);
  const running = (await controlClient(layout).send({ op: 'ping' })) !== 'not-running';
  const display = progressDisplay();
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
          if (!options.activate) return;
          if (request.delta || request.purpose === 'history') refuseOtherBase(layout, manifest);
          teller.loading('activating', 0.99);
          // A service that is stuck is not waited for any longer than whoever asked wants to.
          const client = controlClient(layout, signal);
          activated = { active: true, ...(await activate(layout, manifest.id, client)) };
          if (!activated.served) await clearUp(layout, context.config.keepPublications, display.message);
        },
      },
    );
    await teller.done(null);
    return { ...outcome, ...activated };
  } catch (error) {
    await teller.done(reasonOf(error));
    throw error;
  } finally {
    display.stop();
  }
}

/**
 * A delta, or a history, is a copy of what was active when it began. Where somebody has gone back from that meanwhile,
 * it would bring back what they meant to be rid of.
 */
function refuseOtherBase(layout: Layout, { id, basedOn }: Manifest): void {
  const active = readablePointer(layout)?.id ?? null;
  if (active === null || active === basedOn) return;
  throw new CommandFailure(
    'active-changed',
    `${id} was made from ${basedOn}, but ${active} has become the active one meanwhile and stays it. Load again to build on that; lei activate ${id} makes this one active all the same.`,
  );
}

/** What can't be deleted is no failure of the load: the pointer has moved. */
async function clearUp(layout: Layout, keep: number, say: (message: string) => void): Promise<void> {
  try {
    await deleteOutdated(layout, keep);
  } catch (error) {
    say(`Warning: A publication that is no longer kept could not be deleted: ${reasonOf(error)}`);
  }
}

/** Between two messages to the service about one phase. */
const tellEveryMs = 500;

/** Does something again and again. @returns what ends it */
type Repeat = (action: () => void) => () => void;

/** Keeps no command from ending. */
const everyFewSeconds: Repeat = (action) => {
  const timer = setInterval(action, limits.loadingRetoldMs);
  timer.unref();
  return () => clearInterval(timer);
};

/**
 * Tells a running service what is going on, for its status; a service that does not listen is no reason to stop.
 * What was told is told again while nothing new happens, since the service forgets a load that has gone silent.
 */
export function serviceTeller(layout: Layout, running: boolean, repeat: Repeat = everyFewSeconds) {
  const client = controlClient(layout);
  const startedAt = timestamp(new Date());
  let told: Loading | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  const send = async (loading: Loading | null, failure: Failure | null) => {
    if (running) await client.send({ op: 'loading', loading, failure });
  };
  const endRepeating = repeat(() => {
    if (told !== null) void send(told, null);
  });
  return {
    loading(phase: string, progress: number) {
      if (phase === told?.phase && performance.now() - toldAt < tellEveryMs) return;
      told = { phase, progress, startedAt };
      toldAt = performance.now();
      void send(told, null);
    },
    /** @param message why it failed; null where it did not */
    async done(message: string | null, phase = told?.phase ?? 'starting') {
      endRepeating();
      if (message !== null) await send(null, { at: timestamp(new Date()), phase, message });
      else if (told !== null) await send(null, null);
    },
  };
}

/** How a finished load is told, with `--json` and in words. */
export function describeLoaded({ manifest, rows, rejected, superseded, deleted, active, served }: Loaded) {
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
    text: `Publication ${id} is ${state}: ${counts.entities.toLocaleString('en')} companies, ${counts.relationships.toLocaleString('en')} relationships, ${rejectedTotal.toLocaleString('en')} bad rows.`,
  };
}
