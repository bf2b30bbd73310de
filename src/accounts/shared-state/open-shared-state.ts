/**
 * Opens the state that the nodes of a fleet share: the ports over a Redis or Valkey server, and in this node's own
 * state a copy of what it needs to continue without the server. A service keeps the copy up to date.
 */
import { join } from 'node:path';
import { errorCode, reasonOf } from '../../errors.ts';
import type { Environment } from '../../lmdb.ts';
import type { Secrets, State } from '../../ports/state.ts';
import type { Layout } from '../../publication/layout.ts';
import { type CountRows, openCountRows } from '../state/ledger/count-rows.ts';
import { Journal } from '../state/ledger/journal.ts';
import { LocalLedger, mainThread } from '../state/ledger/local-ledger.ts';
import { type CommitWait, openStateFolder, writing } from '../state/local-state.ts';
import { readSecrets } from './accounts/account-store.ts';
import { type NodeCopy, openCopy } from './accounts/copy.ts';
import { SharedDirectory } from './accounts/shared-directory.ts';
import { Connection } from './connection.ts';
import { SharedLedger, type StoreUse } from './ledger/shared-ledger.ts';
import { sharedTally, sharedUsage } from './ledger/shared-tally.ts';
import { SharedWords } from './ledger/shared-words.ts';
import { sharedLimits } from './limits.ts';
import { NodeCount, type Presence, presence } from './nodes.ts';
import { sharedSessions } from './sessions.ts';

interface SharedStateParts extends StoreUse {
  readonly node: string;
  readonly version: string;
  readonly layout: Layout;
  /** A service reports its presence, counts, and works without the store; a command does not. */
  readonly user: 'service' | 'command';
  /** The secrets to use if there are none yet. */
  readonly secrets?: Secrets | undefined;
  /** What waits for the disk; by default lmdb's own thread for a service. */
  readonly waiting?: CommitWait;
}

/**
 * @throws StoreAway if a command, or the first start of a service, does not reach the store; and whatever a local state
 * throws
 */
export async function openSharedState(parts: SharedStateParts): Promise<State> {
  const { url, user, layout, waiting = user === 'service' ? 'lmdb' : 'caller' } = parts;
  const path = join(layout.state, 'shared');
  const environment = openStateFolder(path, (opened) => opened);
  const copy = openCopy(environment, path, writing(environment, path, waiting));
  const words = new SharedWords();
  words.nodes = copy.nodes();
  words.mainAway = true;
  const changed = (lost: string | null) => {
    words.mainAway = lost !== null;
  };
  const store = new Connection({ url, deadlineMs: sharedLimits.workDeadlineMs, changed });
  try {
    return await assemble(parts, path, { environment, copy, words, store });
  } catch (error) {
    store.close();
    await environment.close();
    throw error;
  }
}

interface OpenStore {
  readonly environment: Environment;
  readonly copy: NodeCopy;
  readonly words: SharedWords;
  readonly store: Connection;
}

async function assemble(
  parts: SharedStateParts,
  path: string,
  { environment, copy, words, store }: OpenStore,
): Promise<State> {
  // Create every table before anything is written: lmdb creates one synchronously, and would wait for a change that
  // waits for this thread.
  const rows = openCountRows(environment);
  const directory = new SharedDirectory(environment, store, copy);
  const secrets = await enter(parts, directory, copy, store);
  const fleet = presence(store, parts.node, parts.version);
  const following = parts.user === 'service' ? keepUp({ store, directory, copy, fleet, words }) : null;
  const counting = parts.user === 'service' ? await startCounting(parts, rows, path, words) : null;
  const ledgers = () => {
    if (counting === null) throw new Error('A command counts no requests.');
    return counting;
  };
  const lost = () => following?.trouble() ?? store.lost ?? counting?.shared.lost ?? null;
  return {
    accounts: directory.accounts,
    get ledger() {
      return ledgers().shared;
    },
    secrets,
    sessions: sharedSessions(store),
    usage: sharedUsage(store, async () => counting?.shared.settled()),
    fleet,
    store: {
      facts: () => ({
        ...words.facts(),
        lost: lost() ?? (words.isAway ? 'a front does not reach it' : null),
        namesake: fleet.sharesName() ? parts.node : null,
      }),
    },
    tally: () => sharedTally(store),
    shareLedger: () => ({
      ...ledgers().own.share,
      store: { url: parts.url, down: parts.down, words: words.memory },
    }),
    freeLedger(thread) {
      ledgers().own.free(thread);
      words.setAway(thread, false);
    },
    async close() {
      await following?.stop();
      await counting?.shared.close();
      store.close();
      await environment.close();
    },
  };
}

/** Reads this node's own counts and connects. Only the process that holds the data folder may do this. */
async function startCounting(parts: StoreUse, rows: CountRows, path: string, words: SharedWords) {
  const own = new LocalLedger(rows, new Journal(join(path, 'counts.journal')));
  const shared = new SharedLedger({ ...parts, own, words, thread: mainThread });
  await shared.start();
  return { own, shared };
}

/** Updates the copy. A service that has been here before can also start while the store is away. */
async function enter(
  { user, secrets: given }: SharedStateParts,
  directory: SharedDirectory,
  copy: NodeCopy,
  store: Connection,
): Promise<Secrets> {
  const kept = copy.secrets();
  try {
    await store.start();
    await directory.follow();
    if (user === 'command') await directory.followUses();
    const secrets = await readSecrets(store, kept ?? given ?? null);
    await copy.keepSecrets(secrets);
    return secrets;
  } catch (error) {
    if (user === 'command' || kept === null || errorCode(error) !== 'shared-state-away') throw error;
    return kept;
  }
}

interface FollowingParts extends Omit<OpenStore, 'environment'> {
  readonly directory: SharedDirectory;
  readonly fleet: Presence;
}

type Work = () => Promise<void>;

/** Keeps a node up to date with its fleet: reports its presence, and follows what other nodes change. */
function keepUp({ store, directory, copy, fleet, words }: FollowingParts) {
  const troubles = new Map<Work, string>();
  const count = new NodeCount(words.nodes);
  const keepDoing = (everyMs: number, work: Work) =>
    repeat(everyMs, async () => {
      // Nothing to do: the connection tries again by itself.
      if (!store.isThere) return;
      try {
        await work();
        troubles.delete(work);
      } catch (error) {
        troubles.set(work, reasonOf(error));
      }
    });
  const stops = [
    keepDoing(sharedLimits.heartbeatMs, async () => {
      const nodes = count.see(await fleet.beat(), performance.now());
      if (nodes === words.nodes) return;
      words.nodes = nodes;
      await copy.keepNodes(nodes);
    }),
    keepDoing(sharedLimits.followMs, () => directory.follow()),
    keepDoing(sharedLimits.usesEveryMs, () => directory.followUses()),
  ];
  return {
    /** Why it is not up to date, for the operator; null while it is. */
    trouble: () => store.lost ?? [...troubles.values()][0] ?? null,
    /** Resolves once none of its work runs any more. */
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/**
 * Does work now and at intervals, never twice at once.
 * @param work never rejects
 * @returns a function that ends this; it resolves once the work does not run any more
 */
function repeat(everyMs: number, work: Work): () => Promise<void> {
  let running: Promise<void> | null = null;
  const turn = () => {
    running ??= work().finally(() => {
      running = null;
    });
  };
  turn();
  const timer = setInterval(turn, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
