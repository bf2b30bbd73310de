/** Sends the fixed set of requests: every operation, problem, method, condition, coding, page and quota. */
import { gunzipSync } from 'node:zlib';
import { type Answered, headerOf } from './connection.ts';

/** Keys of the accounts that the data folder of a comparison has. */
export interface Keys {
  /** An account that no limit stops. */
  readonly unlimited: string;
  /** Three requests a day. */
  readonly daily: string;
  /** Two look-ups and two searches a minute. */
  readonly burst: string;
  readonly revoked: string;
  readonly suspended: string;
}

export interface More {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks for a target, under a name that identifies the answer in differences. */
export type AskFor = (name: string, target: string, more?: More) => Promise<Answered>;

const api = '/api/v1';
const bank = '7LTWFZYICNSX8D621K86';
const parent = '213800USCE9Y111R4656';
const unknownLei = '5493001KJTIIGC8Y1R12';

const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
/** Each group of requests comes from its own address, so that the quotas of one do not affect the others. */
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

/**
 * Sends all requests in order, and at the end one for each company that an earlier answer has named.
 * @param expired cursor for `q=bank` of a publication that is not served
 */
export async function askEverything(askFor: AskFor, keys: Keys, expired: string): Promise<void> {
  const named = new Set<string>();
  const asKeyholder: AskFor = async (name, target, more = {}) => {
    const headers = { Authorization: `Bearer ${keys.unlimited}`, ...more.headers };
    const answer = await askFor(name, target, { ...more, headers });
    for (const [, lei = ''] of answer.body.toString().matchAll(/"lei":"([^"]{20})"/g)) named.add(lei);
    return answer;
  };
  await operations(asKeyholder);
  await pages(asKeyholder);
  await problems(asKeyholder);
  await methods(asKeyholder);
  await conditions(asKeyholder);
  await codings(asKeyholder);
  await traversals(asKeyholder, expired);
  await callers(askFor, keys);
  await signup(askFor);
  for (const lei of [...named].sort()) {
    for (const rest of ['', '/relationships', '/changes']) {
      await asKeyholder(`company ${lei}${rest}`, `${api}/lei/${lei}${rest}`);
    }
  }
}

const targets = [
  `/lei/${bank}`,
  `/lei/${bank.toLowerCase()}`,
  `/lei/${bank}/relationships`,
  `/lei/${bank}/changes`,
  `/lei/${parent}/relationships`,
  '/lei/529900K9B0N5BT694847/relationships',
  '/lei/54930053HGCFWVHYZX42',
  '/lei/5493008JZL5CRK3VS565',
  '/search?q=deutche+bank+ag',
  '/search?q=deutsche%20bank&limit=5&country=de',
  '/search?q=bank&status=issued&country=FR&limit=100',
  '/search?limit=3&q=bank&country=XK',
  '/search?q=%E4%B8%AD%E5%9B%BD%E9%93%B6%E8%A1%8C',
  '/search?q=%D9%82%D8%B7%D8%B1',
  '/search?q=gmbh',
  '/search?q=soci%C3%A9t%C3%A9+g%C3%A9n%C3%A9rale',
  `/search?q=${bank}`,
  '/search?q=DEUTDEFF',
  '/search?q=HRB+30000',
  '/search?q=zzzzqqqq',
  '/bic/DEUTDEFF',
  '/bic/DEUTDEFFXXX',
  '/bic/deutdeff500',
  '/isin/DE0005140008',
  '/mic/XETR',
  '/mic/DBOX',
  '/gem/E100000001096',
  '/qcc/QGBV5W52N8',
  '/status',
  '/status?anything=1',
];

async function operations(askFor: AskFor): Promise<void> {
  for (const target of targets) await askFor(`GET ${target}`, api + target);
}

async function pages(askFor: AskFor): Promise<void> {
  const paths = ['/', '/page.css', '/robots.txt', '/favicon.ico', '/openapi.json', '/docs', '/problems'];
  for (const path of [...paths, '/.well-known/api-catalog', '/docs/', '/nothing', '/api', '/api/v1/']) {
    await askFor(`page ${path}`, path);
    await askFor(`page HEAD ${path}`, path, { method: 'HEAD' });
  }
  const docs = (await askFor('page /docs again', '/docs')).body.toString();
  for (const [, path = ''] of docs.matchAll(/(?:src|href)="(\/?docs\/[^"]+)"/g)) {
    await askFor(`page ${path}`, path.startsWith('/') ? path : `/${path}`);
  }
  const index = (await askFor('page /problems again', '/problems')).body.toString();
  for (const [, path = ''] of index.matchAll(/href="(\/problems\/[^"]+)"/g))
    await askFor(`page ${path}`, path);
}

const wrong = [
  '/lei/7LTWFZYICNSX8D621K87',
  '/lei/short',
  '/lei/%FF',
  '/lei/',
  '/lei',
  `/lei/${bank}/`,
  `/lei/${bank}/nothing`,
  `/lei/${unknownLei}`,
  `/lei/${unknownLei}/relationships`,
  `/lei/${unknownLei}/changes`,
  `/lei/${bank}?fields=name`,
  `/lei/${bank}/changes?limit=0`,
  `/lei/${bank}/changes?limit=5&limit=6`,
  `/lei/${bank}/changes?cursor=made-up`,
  '/search',
  '/search?q=',
  '/search?q=a',
  `/search?q=${'a'.repeat(501)}`,
  '/search?q=bank&country=DEU',
  '/search?q=bank&country=ZZ',
  '/search?q=bank&status=SLEEPING',
  '/search?q=bank&limit=101&offset=5&cursor=',
  '/search?q=%FF',
  '/bic/DEUT',
  '/bic/DEUTDEF1234',
  '/bic/AAAADEFF',
  '/isin/DE0005140009',
  '/isin/US0000000000',
  '/isin/US0378331005',
  '/mic/TOOLONG',
  '/mic/ZZZZ',
  '/gem/X1',
  '/gem/E100000000001',
  '/qcc/QQ',
  '/qcc/QGBV5W52N9',
  '/Lei/x',
];

async function problems(askFor: AskFor): Promise<void> {
  for (const target of wrong) await askFor(`problem ${target}`, api + target);
  await askFor('problem with a request id', `${api}/lei/short`, { headers: { 'X-Request-Id': 'mine-1' } });
  await askFor('problem without a fit request id', `${api}/lei/short`, {
    headers: { 'X-Request-Id': 'a b' },
  });
}

async function methods(askFor: AskFor): Promise<void> {
  const paths = [...targets.slice(0, 12), '/bic/DEUTDEFF', '/status', '/lei/short', '/nothing'];
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of paths) await askFor(`${method} ${path}`, api + path, { method });
    for (const path of ['/', '/openapi.json', '/signup'])
      await askFor(`${method} page ${path}`, path, { method });
  }
}

async function conditions(askFor: AskFor): Promise<void> {
  for (const path of [...targets.slice(0, 10), '/bic/DEUTDEFF', '/status']) {
    const target = api + path;
    const first = await askFor(`whole ${path}`, target);
    const tag = headerOf(first, 'ETag');
    const since = headerOf(first, 'Last-Modified');
    const given = [
      { 'If-None-Match': tag },
      { 'If-None-Match': `W/${tag}, "other"` },
      { 'If-None-Match': '*' },
      { 'If-None-Match': '"other"' },
      { 'If-Modified-Since': since },
      { 'If-Modified-Since': 'Sun, 01 Nov 2020 08:00:00 GMT' },
      { 'If-Modified-Since': 'yesterday' },
      { 'If-None-Match': '"other"', 'If-Modified-Since': since },
    ];
    for (const [index, headers] of given.entries()) {
      await askFor(`condition ${index} ${path}`, target, { headers });
      await askFor(`condition HEAD ${index} ${path}`, target, { method: 'HEAD', headers });
    }
  }
  const missing = `${api}/lei/${unknownLei}`;
  await askFor('condition on what is missing', missing, { headers: { 'If-None-Match': '*' } });
}

async function codings(askFor: AskFor): Promise<void> {
  const large = ['/search?q=bank&limit=100', `/lei/${parent}/relationships`, `/lei/${bank}`, '/mic/XETR'];
  for (const coding of ['gzip', 'br', 'zstd', 'gzip;q=0, br', 'identity;q=0', '*', 'br;q=0.1, gzip']) {
    for (const path of large) {
      const headers = { 'Accept-Encoding': coding };
      const answer = await askFor(`coded ${coding} ${path}`, api + path, { headers });
      const tag = headerOf(answer, 'ETag');
      await askFor(`coded 304 ${coding} ${path}`, api + path, {
        headers: { ...headers, 'If-None-Match': tag },
      });
      await askFor(`coded HEAD ${coding} ${path}`, api + path, { method: 'HEAD', headers });
    }
    await askFor(`coded page ${coding}`, '/openapi.json', { headers: { 'Accept-Encoding': coding } });
  }
}

/** The answer with this name has a cursor for `q=bank`. */
export const firstPage = 'first page of banks';

/** Pages of lists, from the first to the last, and cursors in the wrong place. */
async function traversals(askFor: AskFor, expired: string): Promise<void> {
  const lists = [
    '/search?q=bank&limit=100',
    '/search?q=capital+fund&limit=33',
    '/search?q=limited&country=GB&limit=20',
    '/search?q=gmbh&status=LAPSED',
    `/lei/${bank}/changes?limit=1`,
  ];
  for (const list of lists) await toTheEnd(askFor, list);
  const cursor = nextOf(await askFor(firstPage, `${api}/search?q=bank&limit=2`));
  await askFor('cursor of another publication', `${api}/search?q=bank&cursor=${expired}`);
  if (cursor === null) return;
  await askFor('cursor with another limit', `${api}/search?q=bank&limit=7&cursor=${cursor}`);
  await askFor('cursor in other words', `${api}/search?q=+bank++&cursor=${cursor}`);
  await askFor('cursor of another query', `${api}/search?q=fund&cursor=${cursor}`);
  await askFor('cursor of another filter', `${api}/search?q=bank&country=DE&cursor=${cursor}`);
  await askFor('cursor of another endpoint', `${api}/lei/${bank}/changes?cursor=${cursor}`);
  await askFor('cursor cut short', `${api}/search?q=bank&cursor=${cursor.slice(0, -1)}`);
}

async function toTheEnd(askFor: AskFor, list: string): Promise<void> {
  let cursor: string | null = '';
  for (let page = 1; cursor !== null; page++) {
    const target: string = `${api}${list}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    cursor = nextOf(await askFor(`page ${page} of ${list}`, target));
  }
}

/** The cursor of the next page; null on the last. */
export function nextOf(answer: Answered): string | null {
  const coded = headerOf(answer, 'Content-Encoding') === 'gzip';
  const body: unknown = JSON.parse((coded ? gunzipSync(answer.body) : answer.body).toString());
  return /"next":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? null;
}

/** Callers: used-up quotas one after the other, and invalid keys. */
async function callers(askFor: AskFor, keys: Keys): Promise<void> {
  const times = async (count: number, name: string, path: string, more: More) => {
    for (let time = 1; time <= count; time++) await askFor(`${name} ${time}`, api + path, more);
  };
  await times(62, 'anonymous search', '/search?q=bank&limit=1', from('192.0.2.1'));
  await times(42, 'anonymous day', `/lei/${bank}`, from('192.0.2.1'));
  await times(3, 'anonymous IPv6', `/lei/${bank}`, from('2001:db8:1:2::1'));
  await times(2, 'anonymous same /64', `/lei/${bank}`, from('2001:db8:1:2::ffff'));
  await times(5, 'daily key', `/lei/${bank}`, bearer(keys.daily));
  await times(4, 'burst key look-up', '/bic/DEUTDEFF', bearer(keys.burst));
  await times(4, 'burst key search', `/lei/${bank}/relationships`, bearer(keys.burst));
  await times(2, 'burst key status', '/status', bearer(keys.burst));
  await times(1, 'burst key not modified', `/lei/${bank}/changes`, bearer(keys.burst));
  const bad = [
    `Bearer ${keys.revoked}`,
    `Bearer ${keys.suspended}`,
    'Bearer lei_live_made_up',
    'Basic eDp5',
    '',
  ];
  for (const [index, value] of bad.entries()) {
    const headers = { Authorization: value, 'X-Forwarded-For': '192.0.2.2' };
    await askFor(`bad key ${index}`, `${api}/lei/${bank}`, { headers });
    await askFor(`bad key ${index} status`, `${api}/status`, { headers });
  }
  const guessing = { headers: { Authorization: 'Bearer guess', 'X-Forwarded-For': '192.0.2.3' } };
  await times(62, 'guessed key', '/search?q=bank', guessing);
  await times(2, 'after guesses', '/search?q=bank', from('192.0.2.3'));
}

async function signup(askFor: AskFor): Promise<void> {
  const post = (body: string, more: Readonly<Record<string, string>> = {}): More => ({
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Forwarded-For': '192.0.2.4',
      Origin: 'http://compare.test',
      ...more,
    },
    body,
  });
  const filled = 'email=ada%40example.com&company=Lovelace&use=Tests&form=AAAAAAAAAAAAAAAAAAAAAA';
  await askFor('sign-up form', '/signup', from('192.0.2.4'));
  await askFor('sign-up empty', '/signup', post(''));
  await askFor('sign-up faulty', '/signup', post('email=ada&company=&use=%3Cb%3E'));
  await askFor('sign-up made', '/signup', post(filled));
  await askFor('sign-up sent twice', '/signup', post(filled));
  await askFor('sign-up address taken', '/signup', post(filled.replace('form=A', 'form=B')));
  await askFor('sign-up from another site', '/signup', post(filled, { 'Sec-Fetch-Site': 'cross-site' }));
  await askFor('sign-up as JSON', '/signup', post('{}', { 'Content-Type': 'application/json' }));
  await askFor('sign-up too long', '/signup', post(`email=${'a'.repeat(20_000)}`));
}
