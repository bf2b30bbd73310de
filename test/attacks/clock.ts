/**
 * Moves the clock of a running service: by seconds and hours forth and back, just before and over midnight, by days,
 * months and decades, sometimes over a `kill -9`. No client may get more than its day allows, however often the clock
 * comes back to that day, and none may be locked out; a burst must end after a minute; dates must go on. One round is
 * five moves.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlClient } from '../../src/protocol/control-client.ts';
import { layout } from '../../src/publication/layout.ts';
import { type Served, serve } from '../support/serve.ts';
import { loadTwoPublications } from '../support/two-publications.ts';
import { type Attack, pick, type Random, randomOf } from './attack.ts';

const movesPerRound = 5;
const entities = 300;
const daily = 30;
const burst = 10;
/** The most requests between two moves: a few moves use up a day. */
const requestsMax = 12;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

/** Moves of the clock; the long ones come in pairs, so that the clock returns to days that it knows. */
const moves: readonly ((now: number, random: Random) => number)[] = [
  (now) => now + secondMs,
  (now) => now - secondMs,
  (now) => now + 61 * secondMs,
  (now) => now - 61 * secondMs,
  (now, random) => now + random() * 12 * 60 * minuteMs,
  (now, random) => now - random() * 12 * 60 * minuteMs,
  (now) => Math.ceil(now / dayMs) * dayMs - 10 * secondMs,
  (now) => Math.ceil(now / dayMs) * dayMs + 10 * secondMs,
  (now) => Math.floor(now / dayMs) * dayMs - 10 * secondMs,
  (now) => now + dayMs,
  (now) => now - dayMs,
  (now) => now + 30 * dayMs,
  (now) => now - 30 * dayMs,
  (now) => now + 20 * 365 * dayMs,
  (now) => now - 20 * 365 * dayMs,
];

/** The service, and its clock. */
class Site {
  readonly dataDir: string;
  readonly #clock: string;
  #aheadMs = 0;
  served: Served | null = null;

  constructor(folder: string) {
    this.dataDir = join(folder, 'data');
    this.#clock = join(folder, 'clock');
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  moveTo(now: number): void {
    this.#aheadMs = now - Date.now();
    writeFileSync(this.#clock, new Float64Array([this.#aheadMs]), { flag: 'r+' });
  }

  async start(): Promise<Served> {
    if (this.served === null) writeFileSync(this.#clock, new Float64Array([0]));
    this.served = await serve(this.dataDir, {
      LEI_LIMITS: 'enforce',
      LEI_ANONYMOUS_DAILY: String(daily),
      LEI_BURST_LOOKUP: '100000',
      LEI_BURST_SEARCH: String(burst),
      LEI_TRUSTED_PROXIES: '127.0.0.1',
      BUN_OPTIONS: `--preload=${join(import.meta.dir, '..', 'support', 'moved-clock.ts')}`,
      MOVED_CLOCK: this.#clock,
    });
    return this.served;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.served?.kill(signal);
    await this.served?.exited;
  }
}

interface Reply {
  readonly status: number;
  /** Days since 1970, before and after the request. */
  readonly days: readonly [number, number];
  readonly left: number;
  readonly retryAfter: number;
  readonly lastModified: number;
}

async function ask(site: Site, served: Served, path: string, client: string): Promise<Reply> {
  const day = () => Math.floor(site.now() / dayMs);
  const before = day();
  const response = await served.get(path, { headers: { 'X-Forwarded-For': client } });
  await response.arrayBuffer();
  const { headers, status } = response;
  return {
    status,
    days: [before, day()],
    left: Number(headers.get('x-ratelimit-remaining') ?? Number.NaN),
    retryAfter: Number(headers.get('retry-after') ?? 0),
    lastModified: Date.parse(headers.get('last-modified') ?? ''),
  };
}

const lookUp = '/api/v1/mic/XFRA';

/**
 * One client over all days. A day has one count, however often the clock returns to it. The service may forget a day
 * only while its clock is more than a day ahead of it.
 */
class DaysOfClient {
  readonly #used = new Map<number, number>();
  #latestDay = 0;

  async askSome(site: Site, served: Served, requests: number): Promise<string[]> {
    const wrong: string[] = [];
    for (let sent = 0; sent < requests; sent++)
      wrong.push(...this.#judge(await ask(site, served, lookUp, '192.0.2.1')));
    return wrong;
  }

  #judge({ status, days, left, retryAfter }: Reply): string[] {
    const [before, after] = days;
    // A request over midnight belongs to the day on which it arrived; the number left says which.
    const day = before === after || left !== daily - 1 ? before : after;
    const mayBeForgotten = day < this.#latestDay - 1;
    this.#latestDay = Math.max(day, this.#latestDay);
    const used = mayBeForgotten && left === daily - 1 ? 0 : (this.#used.get(day) ?? 0);
    this.#used.set(day, Math.min(used + 1, daily));
    const isRight = used < daily ? left === daily - used - 1 && status !== 429 : left === 0 && status === 429;
    const isWaitRight = status !== 429 || (retryAfter >= 1 && retryAfter <= dayMs / secondMs);
    return [
      ...(isRight ? [] : [`On day ${day}, after ${used} of ${daily}: status ${status}, ${left} left.`]),
      ...(isWaitRight ? [] : [`A refused client shall wait for ${retryAfter} s.`]),
    ];
  }
}

/**
 * A new client uses up its burst. Moving the clock back frees nothing; a minute and a second later the client is
 * admitted again.
 */
async function tryBurst(site: Site, served: Served, client: string, backMs: number): Promise<string[]> {
  const path = '/api/v1/search?q=bank&limit=1';
  const search = () => ask(site, served, path, client);
  const statuses: number[] = [];
  for (let sent = 0; sent < burst; sent++) statuses.push((await search()).status);
  const wrong = statuses.every((status) => status === 200)
    ? []
    : [`A burst has statuses ${statuses.join(', ')}.`];
  site.moveTo(site.now() - backMs);
  const { status, retryAfter } = await search();
  if (status !== 429 || retryAfter > 60) {
    wrong.push(`${backMs} ms back, a used burst has status ${status}, and is free in ${retryAfter} s.`);
  }
  // If the clock is set back by up to a second, requests count as late: the window then ends at its true time.
  site.moveTo(site.now() + 61.5 * secondMs);
  const later = await search();
  if (later.status !== 200)
    wrong.push(`A minute and a second after ${backMs} ms back a burst has status ${later.status}.`);
  return wrong;
}

/** Each activation must appear later than the one before, or caches would keep old answers. */
async function activate(
  site: Site,
  served: Served,
  id: string,
  before: number,
): Promise<{ at: number; wrong: string[] }> {
  const reply = await controlClient(layout(site.dataDir)).send({ op: 'activate', id });
  const { lastModified } = await ask(site, served, '/api/v1/search?q=bank&limit=1', '192.0.2.254');
  const at = Number.isNaN(lastModified) ? before : lastModified;
  const isDone = reply !== 'not-running' && reply.ok;
  const isLater = at > before || Number.isNaN(lastModified);
  return {
    at,
    wrong: isDone && isLater ? [] : [`Activated at ${at} after ${before}: ${JSON.stringify(reply)}`],
  };
}

async function moveAbout(
  site: Site,
  ids: readonly string[],
  count: number,
  random: Random,
): Promise<string[]> {
  const wrong: string[] = [];
  const client = new DaysOfClient();
  let served = await site.start();
  let activatedAt = 0;
  for (let move = 0; move < count; move++) {
    if (random() < 0.1) {
      await site.end('SIGKILL');
      served = await site.start();
    }
    const target = pick(random, moves)(site.now(), random);
    // Stays within years of four digits.
    site.moveTo(Math.min(Math.max(target, Date.UTC(1980, 0)), Date.UTC(2200, 0)));
    const requests = await client.askSome(site, served, Math.ceil(random() * requestsMax));
    const at = new Date(site.now()).toISOString();
    const backMs = pick(random, [secondMs, 10 * minuteMs, dayMs, 400 * dayMs]);
    const bursts =
      move % 3 === 0 ? await tryBurst(site, served, `198.51.100.${(move / 3) % 250}`, backMs) : [];
    const activation = await activate(site, served, ids[move % ids.length] ?? '', activatedAt);
    activatedAt = activation.at;
    wrong.push(...[...requests, ...bursts, ...activation.wrong].map((fault) => `At ${at}: ${fault}`));
  }
  return wrong;
}

const run: Attack['run'] = async ({ rounds, seed, say, folder }) => {
  const site = new Site(folder);
  const tried = rounds * movesPerRound;
  try {
    const ids = await loadTwoPublications(folder, site.dataDir, entities);
    const wrong = await moveAbout(site, ids, tried, randomOf(seed));
    say(`${tried} moves of the clock`);
    return { tried, wrong };
  } finally {
    await site.end('SIGTERM');
  }
};

export const attack: Attack = { name: 'clock', run };
