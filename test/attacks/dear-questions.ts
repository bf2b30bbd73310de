/**
 * Asks dear questions from fifty addresses at once, each within its burst limit, through a trusted proxy: matches of
 * mistyped names, the ownership and the relationships of the largest company, batches of 50 matches. Honest clients
 * search meanwhile. They always get an answer, in twenty rounds or more within the times below, and most of them before
 * most of the others have one more: a process that waits for the processor may delay one. One round is ten honest searches
 * beside each kind of dear question, four in fewer rounds.
 */
import type { Served } from '../support/serve.ts';
import { type Attack, type AttackOptions, pick, type Random, randomOf, whileServing } from './attack.ts';
import { type Generated, generated } from './generated.ts';

const judgedFrom = 20;
const [manyCompanies, fewCompanies] = [300_000, 500];
/** The times of an honest search in milliseconds, or as many times those without an attack if the machine is busy. */
const [medianMsMax, p99MsMax, timesQuiet] = [50, 250, 10];
const addresses = 50;
const questionsPerAddress = 2;
/** How long a refused attacker waits: its quota comes back by the second. */
const askAgainMs = 1_000;
/** Dear answers that may come while an honest search waits: as many as are asked at once, twice. */
const dearMeanwhileMax = 2 * addresses * questionsPerAddress;
const [searchesPerRound, searchesIfFew] = [10, 4];
const words = ['bank', 'fund', 'capital', 'trading', 'partners', 'energy', 'group', 'estate'];
/** Each searches now and then, as people do. */
const honestAddresses = 200;
const mistyped = 'globl investmnt hldings internatonal managment capitol partnrs fnd trst servces';

interface Dear {
  readonly name: string;
  readonly path: string;
  /** A form to post. */
  readonly body?: string;
}

function dearQuestions({ largest, names }: Generated): readonly Dear[] {
  const queries = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`q${n}`, { query: `${names[n]} ${mistyped}`.slice(0, 200) }]),
  );
  return [
    { name: 'matches', path: `/ext/v1/match?country=DE&city=Berlin&name=${encodeURIComponent(mistyped)}` },
    { name: 'ownership', path: `/ext/v1/lei/${largest}/ownership?direction=up,down&depth=10` },
    { name: 'relationships', path: `/api/v1/lei/${largest}/relationships` },
    { name: 'batches', path: '/reconcile', body: `queries=${encodeURIComponent(JSON.stringify(queries))}` },
  ];
}

/** Asks as a trusted proxy passes a client's request on. */
async function ask(served: Served, address: string, { path, body }: Omit<Dear, 'name'>) {
  const headers = { 'X-Forwarded-For': address, 'Accept-Encoding': 'identity' };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const init = body === undefined ? { headers } : { method: 'POST', body, headers: { ...headers, ...form } };
  const response = await served.get(path, init);
  await response.bytes();
  return response;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Each attacker asks again as soon as it is answered. */
function startFlood(served: Served, dear: Dear) {
  const flood = { answered: 0, refused: 0, isOver: false, wrong: new Set<string>() };
  const attack = async (address: string) => {
    while (!flood.isOver && flood.wrong.size === 0) {
      const { status, headers } = await ask(served, address, dear);
      if (status === 200) flood.answered++;
      else if ((status === 503 || status === 429) && headers.has('retry-after')) flood.refused++;
      else flood.wrong.add(`${dear.name}: a dear question was answered ${status}.`);
      if (status !== 200) await sleep(askAgainMs);
    }
  };
  const attackers = Array.from({ length: addresses * questionsPerAddress }, (_, index) =>
    attack(`198.18.0.${index % addresses}`),
  );
  const stop = async () => {
    flood.isOver = true;
    await Promise.all(attackers);
  };
  return { flood, stop };
}

/** Milliseconds of honest searches, and how many dear answers came during each. */
async function searchHonestly(served: Served, count: number, random: Random, answered: () => number) {
  const searches: { readonly ms: number; readonly meanwhile: number; readonly status: number }[] = [];
  for (let search = 0; search < count; search++) {
    const before = answered();
    const startedAt = performance.now();
    const path = `/api/v1/search?q=${pick(random, words)}`;
    const { status } = await ask(served, `192.0.2.${search % honestAddresses}`, { path });
    searches.push({ ms: performance.now() - startedAt, meanwhile: answered() - before, status });
    await sleep(5);
  }
  return searches;
}

type Searches = Awaited<ReturnType<typeof searchHonestly>>;

function timesOf(searches: Searches): { readonly median: number; readonly p99: number } {
  const times = searches.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

async function attackWith(served: Served, data: Generated, { rounds, seed, say }: AttackOptions) {
  const random = randomOf(seed);
  const count = rounds * (rounds < judgedFrom ? searchesIfFew : searchesPerRound);
  const quiet = timesOf(await searchHonestly(served, count, random, () => 0));
  say(`quiet: ${quiet.median.toFixed(1)} ms at the median, ${quiet.p99.toFixed(1)} at p99`);
  const wrong: string[] = [];
  let tried = 0;
  for (const dear of dearQuestions(data)) {
    const { flood, stop } = startFlood(served, dear);
    while (flood.answered + flood.refused === 0 && flood.wrong.size === 0) await sleep(20);
    const searches = await searchHonestly(served, count, random, () => flood.answered);
    await stop();
    const { median, p99 } = timesOf(searches);
    tried += flood.answered + flood.refused;
    say(
      `${dear.name}: ${flood.answered} answered, ${flood.refused} refused; honest ${median.toFixed(1)} ms at the median, ${p99.toFixed(1)} at p99`,
    );
    const unanswered = searches.filter(({ status }) => status !== 200).length;
    const late = searches.filter(({ meanwhile }) => meanwhile > dearMeanwhileMax).length;
    if (unanswered > 0) wrong.push(`${dear.name}: ${unanswered} honest searches got no answer.`);
    if (late > count / 2)
      wrong.push(
        `${dear.name}: ${late} of ${count} honest searches came after more than ${dearMeanwhileMax} others.`,
      );
    wrong.push(...flood.wrong);
    if (rounds < judgedFrom) continue;
    if (median > Math.max(medianMsMax, timesQuiet * quiet.median))
      wrong.push(`${dear.name}: an honest search takes ${median.toFixed(0)} ms at the median.`);
    if (p99 > Math.max(p99MsMax, timesQuiet * quiet.p99))
      wrong.push(`${dear.name}: an honest search takes ${p99.toFixed(0)} ms at the 99th percentile.`);
  }
  return { tried, wrong };
}

const run: Attack['run'] = async (options) => {
  const entities = options.rounds < judgedFrom ? fewCompanies : manyCompanies;
  const data = await generated(options.folder, entities, options.seed);
  const settings = {
    LEI_LIMITS: 'enforce',
    LEI_ANONYMOUS_DAILY: '1000000',
    LEI_WORKERS: '1',
    LEI_TRUSTED_PROXIES: '127.0.0.1/32',
  };
  return whileServing(data.dataDir, settings, (served) => attackWith(served, data, options));
};

export const attack: Attack = { name: 'dear-questions', run };
