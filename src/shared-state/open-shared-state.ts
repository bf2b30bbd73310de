/**
 * Opens the state that the nodes of a fleet share: the ports over a Redis or Valkey server, and in this node's own
 * state a copy of what it needs to continue without the server.
 */
import { join } from 'node:path';
import { errorCode } from '../errors.ts';
import type { Environment } from '../lmdb.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { State } from '../ports/state.ts';
import type { Layout } from '../publication/layout.ts';
import { openCountRows } from '../state/ledger/count-rows.ts';
import { openStateFolder, type Waiting, writing } from '../state/local-state.ts';
import { type NodeCopy, openCopy } from './accounts/copy.ts';
import { SharedDirectory } from './accounts/shared-directory.ts';
import { Connection } from './connection.ts';
import { keepUp } from './keep-up.ts';
import { NodeCounts } from './ledger/node-counts.ts';
import type { StoreUse } from './ledger/shared-ledger.ts';
import { sharedTally } from './ledger/shared-tally.ts';
import { SharedWords } from './ledger/shared-words.ts';
import { sharedUsage } from './ledger/usage.ts';
import { sharedLimits } from './limits.ts';
import { presence } from './nodes.ts';
import { readSecrets } from './secrets.ts';
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
  readonly waiting?: Waiting;
}

/**
 * @throws StoreAway if a command, or the first start of a service, does not reach the store; and whatever a local state
 * throws
 */
export async function openSharedState(parts: SharedStateParts): Promise<State> {
  const { url, user, layout, waiting = user === 'service' ? 'lmdb' : 'caller' } = parts;
  const path = join(layout.state, 'shared');
  const environment = openStateFolder(path, (opened) => opened);
  const copy = openCopy(environment, writing(environment, path, waiting));
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

interface Opened {
  readonly environment: Environment;
  readonly copy: NodeCopy;
  readonly words: SharedWords;
  readonly store: Connection;
}

async function assemble(
  parts: SharedStateParts,
  path: string,
  { environment, copy, words, store }: Opened,
): Promise<State> {
  // Create every table before anything is written: lmdb creates one synchronously, and would wait for a change that
  // waits for this thread.
  const counts = new NodeCounts(parts, openCountRows(environment), path, words);
  const directory = new SharedDirectory(environment, store, copy);
  const secrets = await enter(parts, directory, copy, store);
  const fleet = presence(store, parts.node, parts.version);
  const following = parts.user === 'service' ? keepUp({ store, directory, copy, fleet, counts }) : null;
  if (parts.user === 'service') await counts.start();
  return {
    accounts: directory.accounts,
    get ledger() {
      return counts.ledger;
    },
    secrets,
    sessions: sharedSessions(store),
    usage: sharedUsage(store, () => counts.settled()),
    fleet,
    store: {
      facts: () => ({
        ...counts.facts(following?.trouble() ?? store.lost),
        namesake: fleet.sharesName() ? parts.node : null,
      }),
    },
    tally: () => sharedTally(store),
    shareLedger: () => counts.share(),
    freeLedger: (thread) => counts.free(thread),
    async close() {
      await following?.stop();
      await counts.close();
      store.close();
      await environment.close();
    },
  };
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
