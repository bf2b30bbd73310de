/**
 * Sends to every route the request that causes the most work within its limits: the longest batches, the deepest and
 * widest JSON, the most fields, the largest company. Each gets the status that it should. In twenty rounds or more it
 * also measures the processor time that a request costs the front and the query thread, and the longest wait of a
 * look-up beside it, as medians of the rounds. A batch of searches costs the query thread as many times a search; it
 * takes turns of two milliseconds, so the wait is what others notice of it (decision 049).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { allEndpoints, extEndpoints } from '../../src/api/table.ts';
import { properties } from '../../src/lei/company-properties.ts';
import type { Served } from '../support/serve.ts';
import { type Attack, type AttackOptions, whileServing } from './attack.ts';
import { type Generated, generated } from './generated.ts';

/** Rounds from which on the medians are judged, and how many companies there are then, and otherwise. */
const judgedFrom = 20;
const [manyCompanies, fewCompanies] = [100_000, 400];
/** Milliseconds of processor time that one request may cost a front, and each of its searches a query thread. */
const [frontMsMax, queryMsMax] = [5, 50];
/**
 * Milliseconds that a look-up may wait beside it, for a turn, a step of the front, and the way there and back; or as
 * many times the wait without it if the machine is busy, up to the third figure.
 */
const [waitMsMax, timesQuiet, busyWaitMsMax] = [20, 10, 60];
/** How long look-ups are made without it. */
const quietMs = 20;
/**
 * A larger answer is sent piece by piece as its reader takes it, and others are answered in between, so its whole cost
 * is no measure of how long it holds the front: the wait beside it is.
 */
const measuredBytesMax = 512 * 1024;

interface Request {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  readonly init?: BunFetchRequestInit;
  /** How many searches it costs, if several. */
  readonly searches?: number;
}

const bodyBytes = 127 * 1024;

const mistyped = 'globl investmnt hldings internatonal managment capitol partnrs fnd trst servces compny';

/** As often as it fits into a body. */
function filled(text: string): string {
  return text.repeat(Math.floor(bodyBytes / text.length));
}

function posted(name: string, status: number, body: string): Request {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return { name, path: '/reconcile', status, init: { method: 'POST', body, headers } };
}

function isAt({ template }: Endpoint, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{[a-z]+\}/g, '[^/]+')}$`).test(path);
}

function get(path: string, status = 200): Request {
  return { name: path.slice(0, 60), path, status };
}

function numbered<Value>(count: number, value: (n: number) => Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, value(n)]));
}

/** Seconds of work: a busy machine may not be able to answer it in time. */
function dearestBatch({ names }: Generated): Request {
  const queries = numbered(50, (n) => ({ query: `${names[n]} ${mistyped}`.slice(0, 200) }));
  const body = `queries=${encodeURIComponent(JSON.stringify(queries))}`;
  return { ...posted('50 dear queries', 200, body), searches: 50 };
}

/** The dearest requests of the reconciliation service. */
function reconciling({ leis, names }: Generated): readonly Request[] {
  const all = properties.map(({ id }) => ({ id }));
  const often = Array.from({ length: 3_000 }, () => ({ id: 'lei' }));
  const ids = leis.slice(0, 100);
  const fifty = numbered(50, (n) => ({ query: names[n] }));
  const cities = Array.from({ length: 45 }, () => ({ pid: 'city', v: 'a b c d e f' }));
  const wide = numbered(50, () => ({ query: 'zzqx', properties: cities }));
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const deep = (depth: number) => `{"a":{"query":"x","properties":[{"pid":"city","v":${nested(depth)}}]}}`;
  const members = Array.from({ length: 4_900 }, (_, n) => `"${n.toString(36)}":0`).join();
  return [
    { ...posted('50 queries', 200, `queries=${encodeURIComponent(JSON.stringify(fifty))}`), searches: 50 },
    {
      ...posted('50 queries with 45 properties each', 200, `queries=${JSON.stringify(wide)}`),
      searches: 50,
    },
    posted('100 ids, all properties', 200, `extend=${JSON.stringify({ ids, properties: all })}`),
    posted('a property 3,000 times', 400, `extend=${JSON.stringify({ ids, properties: often })}`),
    posted('a value nested 60,000 deep', 400, `queries=${deep(60_000)}`),
    posted('brackets', 400, `queries=${filled('[')}`),
    posted('4,900 members', 400, `queries={${members}}`),
    posted('a long escaped name', 200, `queries={"a":{"query":"${filled('\\u0001a')}"}}`),
    posted('many fields', 400, filled('a=&')),
    posted('many empty fields', 400, filled('&')),
    posted('an escaped body', 400, `queries=${filled('%41')}`),
    posted('many numbers', 400, `queries=[${filled('0,')}0]`),
    get('/reconcile'),
    get(`/reconcile/preview?id=${leis[0]}`),
    get(`/reconcile/flyout/entity?id=${leis[0]}`),
    get('/reconcile/properties?type=LegalEntity'),
    get('/reconcile/suggest/entity?prefix=glob'),
  ];
}

/** The dearest request of each other route. */
function reading({ largest, leis, names }: Generated): readonly Request[] {
  const text = (words: number) => encodeURIComponent(names.slice(0, words).join(' ').slice(0, 490));
  const isins = Array.from({ length: 100 }, () => 'DE0005140008').join();
  return [
    ...['', '/relationships', '/changes?limit=100'].map((rest) => get(`/api/v1/lei/${largest}${rest}`)),
    ...['q=bank&limit=100', `limit=100&q=${text(64)}`].map((query) => get(`/api/v1/search?${query}`)),
    get('/api/v1/bic/DEUTDEFFXXX', 404),
    get('/api/v1/isin/DE0005140008', 404),
    get('/api/v1/mic/XXXX', 404),
    get('/api/v1/gem/E100000000000', 404),
    get('/api/v1/qcc/QCN0000000', 404),
    get('/api/v1/status'),
    get(`/ext/v1/companies?lei=${leis.slice(0, 100).join()}`),
    get(`/ext/v1/companies?lei=${leis.slice(0, 100).join('X,')}`),
    get(`/ext/v1/identifiers?isin=${isins}`),
    ...['companies?lei=', 'identifiers?ocid='].map((list) =>
      get(`/ext/v1/${list}${','.repeat(15_000)}`, 400),
    ),
    ...[text(6), `${encodeURIComponent(mistyped)}&country=DE&city=Berlin`].map((name) =>
      get(`/ext/v1/match?name=${name}`),
    ),
    get(`/ext/v1/lei/${largest}/ownership?direction=up,down&depth=10`),
    get(`/ext/v1/lei/${largest}/children?kind=direct&limit=100`),
    get(`/ext/v1/lei/${largest}/isins?limit=100`),
    get(`/ext/v1/lei/${largest}/as-of/2000-01-01`, 404),
    get(`/ext/v1/changes?since=2000-01-01&limit=100&lei=${leis.slice(0, 100).join()}`, 400),
    get(`/ext/v1/suggest?q=${text(64)}`),
    ...['', 'q=bank&', 'sort=-name,country,updated&', `city=${Array(50).fill('Berlin').join()}&`].map(
      (filters) => get(`/ext/v1/list?${filters}limit=100`),
    ),
    ...['/?q=bank', `/?q=${text(64)}`, `/company/${largest}`].map((path) => get(path)),
    ...['children', 'history', 'ownership'].map((page) => get(`/company/${largest}/${page}`)),
    ...['/suggest?q=glob', '/openapi.json', '/ext/openapi.json', '/docs'].map((path) => get(path)),
    ...['/signup', '/account', '/.well-known/api-catalog', '/problems/not-found', '/robots.txt'].map((path) =>
      get(path),
    ),
  ];
}

/** The dearest requests to GLEIF's API and to the tools of assistants. */
function speakingOtherwise({ largest, leis, names }: Generated): readonly Request[] {
  const records = '/gleif/api/v1/lei-records';
  const [text, many] = [encodeURIComponent(names.slice(0, 6).join(' ')), 'page[size]=200'];
  const call = (name: string, given: object): Request => ({
    name: `a call of ${name}`,
    path: '/mcp',
    status: 200,
    init: {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: given },
      }),
    },
  });
  return [
    get(`${records}/${largest}`),
    get(`${records}/${largest}/direct-children?${many}`),
    get(`${records}?${many}`),
    get(`${records}?${many}&filter[lei]=${leis.slice(0, 200).join()}`),
    get(`${records}?${many}&filter[fulltext]=${text}`),
    get(`${records}?${many}&filter[fulltext]=street`),
    get(`${records}?${many}&filter[entity.addresses]=street`),
    get(`${records}?${many}&filter[entity.legalName]=bank&sort=-entity.legalName`),
    get(`${records}?filter[lei]=${leis.slice(0, 201).join()}`, 400),
    get(`${records}?${'filter[entity.status]=ACTIVE&'.repeat(250)}`),
    get(`${records}?${'filter[entity.status]=ACTIVE&'.repeat(250)}filter[entity.status]=INACTIVE`, 400),
    get(`/gleif/api/v1/entity-legal-forms?${many}`),
    get('/gleif/api/v1/fuzzycompletions?field=fulltext&q=globl'),
    get('/gleif/api/v1/autocompletions?field=fulltext&q=glob'),
    call('ownership', { lei: largest, direction: ['up', 'down'], depth: 10 }),
    call('search', { q: 'bank', limit: 100 }),
  ];
}

/** Processor time of the threads of a process, in milliseconds (Linux). */
function threadTimes(pid: number): { readonly front: () => number; readonly query: () => number } {
  const folder = `/proc/${pid}/task`;
  const threads = readdirSync(folder);
  const queries = threads.filter((id) => readFileSync(join(folder, id, 'comm'), 'utf8').trim() === 'query');
  const timeOf = (id: string) =>
    Number(readFileSync(join(folder, id, 'schedstat'), 'utf8').split(' ', 1)[0]) / 1e6;
  return {
    front: () => timeOf(String(pid)),
    query: () => queries.reduce((sum, id) => sum + timeOf(id), 0),
  };
}

/** The share of its time that a front works without requests: it checks publications, saves counts and the like. */
async function idleShare(front: () => number, ms: number): Promise<number> {
  const [before, startedAt] = [front(), performance.now()];
  await sleep(ms);
  return (front() - before) / (performance.now() - startedAt);
}

const idleMeasuredMs = { least: 30, most: 500 };

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

interface Costs {
  /** What the front took while it answered, and how long that was. */
  readonly front: { readonly took: number; readonly ms: number }[];
  /** {@link idleShare} before each round. */
  readonly idle: number[];
  readonly query: number[];
  readonly wait: number[];
  /** The same without the request. */
  readonly quiet: number[];
}

/** The longest of the look-ups that are made one after the other until some work is done, in milliseconds. */
async function longestWaitBeside(served: Served, work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) {
    const askedAt = performance.now();
    await (await served.get('/api/v1/bic/DEUTDEFFXXX')).bytes();
    longest = Math.max(longest, performance.now() - askedAt);
  }
  await work;
  return longest;
}

async function attackWith(served: Served, requests: readonly Request[], options: AttackOptions) {
  const times = threadTimes(served.pid);
  const isJudged = options.rounds >= judgedFrom;
  const wrong: string[] = [];
  for (const request of requests) {
    const { name, path, status, init } = request;
    const costs: Costs = { front: [], idle: [], query: [], wait: [], quiet: [] };
    let idleMs: number = idleMeasuredMs.least;
    let bytes = 0;
    const ask = async () => {
      const headers = { 'Accept-Encoding': 'identity', ...init?.headers };
      const response = await served.get(path, { ...init, headers });
      bytes = (await response.bytes()).length;
      if (response.status !== status)
        wrong.push(`${name} was answered ${response.status} instead of ${status}.`);
    };
    for (let round = 0; round < options.rounds; round++) {
      // As long as the answer takes: the less, the less of it is idle work.
      if (isJudged) costs.idle.push(await idleShare(times.front, idleMs));
      const [front, query, startedAt] = [times.front(), times.query(), performance.now()];
      await ask();
      // What follows an answer counts too.
      await sleep(2);
      const ms = performance.now() - startedAt;
      costs.front.push({ took: times.front() - front, ms });
      idleMs = Math.min(Math.max(ms, idleMeasuredMs.least), idleMeasuredMs.most);
      costs.query.push(times.query() - query);
      if (!isJudged) continue;
      costs.quiet.push(await longestWaitBeside(served, sleep(quietMs)));
      costs.wait.push(await longestWaitBeside(served, ask()));
    }
    const idle = medianOf(costs.idle);
    const front = medianOf(costs.front.map(({ took, ms }) => took - idle * ms));
    const cost = {
      front,
      query: medianOf(costs.query),
      wait: medianOf(costs.wait),
      quiet: medianOf(costs.quiet),
    };
    options.say(
      `${name}: front ${cost.front.toFixed(2)} ms, query thread ${cost.query.toFixed(2)} ms, a look-up beside it ${cost.wait.toFixed(2)} ms, ${bytes} bytes`,
    );
    if (isJudged) wrong.push(...excesses(request, cost, bytes));
  }
  return { tried: requests.length * options.rounds, wrong };
}

/** What a request costs too much, a sentence each. @param cost the medians in milliseconds */
function excesses(
  { name, searches = 1 }: Request,
  { front, query, wait, quiet }: Readonly<Record<'front' | 'query' | 'wait' | 'quiet', number>>,
  bytes: number,
): readonly string[] {
  const found: string[] = [];
  if (bytes <= measuredBytesMax && front > frontMsMax)
    found.push(`${name} costs a front ${front.toFixed(1)} ms.`);
  if (query > searches * queryMsMax) found.push(`${name} costs a query thread ${query.toFixed(1)} ms.`);
  if (wait > Math.max(waitMsMax, Math.min(busyWaitMsMax, timesQuiet * quiet)))
    found.push(`A look-up waits ${wait.toFixed(1)} ms beside ${name}.`);
  return found;
}

/** The endpoints that no request asks. */
function unasked(requests: readonly Request[]): readonly string[] {
  const paths = requests.map(({ path }) => path.split('?', 1)[0] ?? '');
  return [...allEndpoints, ...extEndpoints]
    .filter((endpoint) => !paths.some((path) => isAt(endpoint, path)))
    .map(({ operationId }) => `No request asks ${operationId}.`);
}

const run: Attack['run'] = async (options) => {
  const isShort = options.rounds < judgedFrom;
  const data = await generated(options.folder, isShort ? fewCompanies : manyCompanies, options.seed);
  const dearest = isShort ? [] : [dearestBatch(data)];
  const requests = [...reading(data), ...speakingOtherwise(data), ...reconciling(data), ...dearest];
  const result = await whileServing(data.dataDir, { LEI_WORKERS: '1' }, (served) =>
    attackWith(served, requests, options),
  );
  return { ...result, wrong: [...unasked(requests), ...result.wrong] };
};

export const attack: Attack = { name: 'dear-requests', run };
