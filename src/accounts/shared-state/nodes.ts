/**
 * Manages the nodes of a fleet in the shared store. Each reports every second what it serves; the store's clock sets
 * the time.
 *
 *     lei:nodes          sorted set: node → when it was last seen, epoch ms
 *     lei:node:<name>    its last report, JSON; expires by itself
 */

import type { Fleet, NodeReport, NodeSeen } from '../../ports/fleet.ts';
import { burstMs } from '../../ports/ledger.ts';
import type { OpenedFleet } from '../../ports/state.ts';
import { isPublicationId } from '../../publication/layout.ts';
import { isNodeName } from '../../settings/rules.ts';
import { Connection, type StoreCalls, script } from './connection.ts';
import { sharedLimits } from './limits.ts';

const { presentMs, nodeKeptMs, reportedCharactersMax } = sharedLimits;

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: lei:nodes, lei:node:<name>. ARGV: name, report. @returns how many nodes are present, and the last report */
const beat = script(`${clock}
local before = redis.call('SET', KEYS[2], ARGV[2], 'PX', ${nodeKeptMs}, 'GET')
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${nodeKeptMs})
redis.call('PEXPIRE', KEYS[1], ${nodeKeptMs})
return { redis.call('ZCOUNT', KEYS[1], now - ${presentMs}, '+inf'), before }
`);

/** KEYS: lei:nodes. @returns now, then name, last seen and report of each */
const all = script(`${clock}
local seen = redis.call('ZRANGEBYSCORE', KEYS[1], now - ${nodeKeptMs}, '+inf', 'WITHSCORES')
local found = { now }
for at = 1, #seen, 2 do
  local report = redis.pcall('GET', 'lei:node:' .. seen[at])
  if report then
    found[#found + 1] = seen[at]
    found[#found + 1] = seen[at + 1]
    found[#found + 1] = type(report) == 'string' and report or ''
  end
end
return found
`);

export interface Presence extends Fleet {
  /** Reports this node's presence. @returns how many nodes are present, this one included */
  beat(): Promise<number>;
  /** Whether another node reported under this node's name since this one began to report. */
  sharesName(): boolean;
}

export function presence(store: StoreCalls, node: string, version: string): Presence {
  let said: NodeReport = {
    version,
    generation: 0,
    active: null,
    readyFor: null,
    refuses: null,
    reason: null,
  };
  const instance = crypto.randomUUID();
  let hasReported = false;
  let sharesName = false;
  const say = async () => {
    const report = JSON.stringify({ ...said, instance });
    const reply = await store.run(beat, ['lei:nodes', `lei:node:${node}`], [node, report]);
    const [present, before] = Array.isArray(reply) ? reply : [];
    // The report before the first may be that of this node's last run.
    if (hasReported && typeof before === 'string' && !before.includes(instance)) sharesName = true;
    hasReported = true;
    return Number(present);
  };
  return {
    node,
    beat: say,
    sharesName: () => sharesName,
    async report(report) {
      said = { ...said, ...report };
      // Ignore a failed heartbeat: the next one reports the same.
      await say().catch(() => {});
    },
    async nodes() {
      return readNodes(await store.run(all, ['lei:nodes'], []));
    },
  };
}

function readNodes(found: unknown): readonly NodeSeen[] {
  if (!Array.isArray(found)) return [];
  const [now, ...rest] = found.map(String);
  const nodes: NodeSeen[] = [];
  for (let at = 0; at + 2 < rest.length; at += 3) {
    const [name = '', lastSeen = '', report = ''] = rest.slice(at, at + 3);
    // No node reports under such a name.
    if (!isNodeName(name)) continue;
    const silentMs = Number(now) - Number(lastSeen);
    const seen = { lastSeenAt: Date.now() - silentMs, present: silentMs < presentMs };
    nodes.push({ name, ...readReport(report), ...seen });
  }
  return nodes.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const unreadable: NodeReport = {
  version: '',
  generation: 0,
  active: null,
  readyFor: null,
  refuses: null,
  reason: 'Its report in the shared state is not one that this version can read.',
};

/** A node of another version may report less, or more. */
function readReport(text: string): NodeReport {
  const fields = fieldsOf(text);
  if (fields === null) return unreadable;
  const textOf = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.slice(0, reportedCharactersMax) : null;
  };
  const idOf = (name: string) => {
    const id = textOf(name);
    return id !== null && isPublicationId(id) ? id : null;
  };
  const generation = fields.get('generation');
  return {
    version: textOf('version') ?? '',
    generation: Number.isSafeInteger(generation) ? Number(generation) : 0,
    active: idOf('active'),
    readyFor: idOf('readyFor'),
    refuses: idOf('refuses'),
    reason: textOf('reason'),
  };
}

/** Null if the text is not a report. */
function fieldsOf(text: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isReport = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isReport ? new Map(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

/**
 * How many nodes share each limit while the store is away. More nodes count at once, fewer only after a whole burst
 * window: a store that lost everything, or a machine too busy for heartbeats, shows fewer nodes than have just admitted
 * requests.
 */
export class NodeCount {
  #count: number;
  /** Since when there were fewer, and the most of them. */
  #fewer: { readonly since: number; readonly most: number } | null = null;

  /** @param count as it was known last */
  constructor(count: number) {
    this.#count = count;
  }

  /**
   * @param present how many nodes are present now
   * @param now milliseconds; never goes back
   * @returns how many count
   */
  see(present: number, now: number): number {
    const since = this.#fewer?.since ?? now;
    const most = Math.max(present, this.#fewer?.most ?? 0);
    const areFewer = present < this.#count && now - since < burstMs;
    this.#fewer = areFewer ? { since, most } : null;
    if (!areFewer) this.#count = most;
    return this.#count;
  }
}

/** Opens a view of the fleet for a command, which is not a node of it. */
export async function openFleet(url: string, node: string, version: string): Promise<OpenedFleet> {
  const store = new Connection({ url, deadlineMs: sharedLimits.workDeadlineMs });
  await store.start();
  return { fleet: presence(store, node, version), close: () => store.close() };
}
