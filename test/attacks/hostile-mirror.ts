/**
 * Attacks an update through a hostile mirror: bodies without end, wrong sizes, slow bodies, redirects that loop, lead
 * to other hosts or to plain addresses, dates from the future, gzip bombs, paths as names, escape sequences in texts.
 * Every trick must end soon: in a failure with a message for the operator, or in files of the announced sizes. Nothing
 * may be written outside the download folder or beyond the announced sizes, and no other host may be asked. One round
 * plays three tricks, each on one of the mirror's addresses.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ExpectedFailure, reasonOf } from '../../src/errors.ts';
import { fetchUpdate, findUpdate } from '../../src/loader/command/fetch/fetch-update.ts';
import { createTransport, type Transport } from '../../src/loader/command/fetch/transport.ts';
import { type Attack, below, pick, type Random, randomOf } from './attack.ts';

const tricksPerRound = 3;
/** The longest that one trick may delay an update: the limits below are shortened to fit. */
const trickMsMax = 60_000;
const shortened = {
  attemptsMax: 2,
  pauseMs: 1,
  pauseMsMax: 5,
  silentMsMax: 300,
  paceWindowMs: 300,
  paceBytesMin: 300,
  answerBytesMax: 256 * 1024,
} as const;

/** A body as its bytes, or as pieces without end. */
type Body = string | Uint8Array | { readonly endless: Uint8Array; readonly everyMs: number };

interface Reply {
  readonly status?: string;
  readonly headers?: readonly string[];
  readonly body?: Body;
  /** States no length, or a wrong one. */
  readonly length?: 'none' | number;
  /** Sends nothing at all. */
  readonly silent?: boolean;
}

type Routes = Map<string, Reply>;

const zip = (bytes: number) => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(bytes, 'lei ')]);
const names = ['lei2', 'rr', 'repex'].map((family) => `20260323-0800-gleif-goldencopy-${family}.xml.zip`);
const isinName = 'isin-lei-20260323T071500.zip';
const fileBytes = 20_000;

const addresses = {
  publish: '/publishes/latest',
  mapping: '/v2/isin-lei/latest',
  download: '/v2/isin-lei/download',
  list: '/mic.csv',
  file: `/storage/${names[0]}`,
} as const;
type Address = keyof typeof addresses;

/** What the mirror publishes without a trick. */
function honestRoutes(): Routes {
  const family = (name: string) => ({
    full_file: { xml: { url: `/storage/${name}`, size: fileBytes + 4, record_count: 1 } },
  });
  const [lei2 = '', rr = '', repex = ''] = names;
  const data = {
    publish_date: '2026-03-23 08:00:00',
    lei2: family(lei2),
    rr: family(rr),
    repex: family(repex),
  };
  const mapping = { attributes: { fileName: isinName, downloadLink: addresses.download } };
  const routes: Routes = new Map();
  routes.set(addresses.publish, { body: JSON.stringify({ data }) });
  routes.set(addresses.mapping, { body: JSON.stringify({ data: mapping }) });
  routes.set(addresses.download, { body: zip(fileBytes) });
  routes.set(addresses.list, {
    body: '"MIC"\n"XNYS"\n',
    headers: ['Last-Modified: Mon, 23 Mar 2026 00:00:00 GMT'],
  });
  for (const name of names) routes.set(`/storage/${name}`, { body: zip(fileBytes), headers: ['ETag: "1"'] });
  return routes;
}

const escapes = '\u001b[2J\u202e\u200b\u0007\u009b31m';

/** Each trick, with the addresses it applies to. It changes the routes. */
interface Trick {
  readonly name: string;
  readonly on: readonly Address[];
  play(routes: Routes, path: string, random: Random, elsewhere: string): void;
}

const anywhere: readonly Address[] = ['publish', 'mapping', 'download', 'list', 'file'];
const ofBytes: readonly Address[] = ['download', 'file'];

function change(routes: Routes, path: string, reply: Reply): void {
  routes.set(path, { ...routes.get(path), ...reply });
}

/** Changes the text of a JSON answer. */
function rewrite(routes: Routes, path: string, from: string | RegExp, to: string): void {
  const body = routes.get(path)?.body;
  if (typeof body === 'string') change(routes, path, { body: body.replace(from, () => to) });
}

/** Escaped for use inside a JSON text. */
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

function redirect(name: string, target: (path: string, elsewhere: string, random: Random) => string): Trick {
  return {
    name,
    on: anywhere,
    play: (routes, path, random, elsewhere) => {
      const statuses = ['301 Moved', '302 Found', '303 Other', '307 Temporary', '308 Permanent'];
      const status = pick(random, statuses);
      routes.set(path, { status, headers: [`Location: ${target(path, elsewhere, random)}`] });
    },
  };
}

const tricks: readonly Trick[] = [
  {
    name: 'a body without end and without a length',
    on: anywhere,
    play: (routes, path) =>
      change(routes, path, { body: { endless: Buffer.alloc(64 * 1024), everyMs: 0 }, length: 'none' }),
  },
  {
    name: 'a body without end after the announced one',
    on: ofBytes,
    play: (routes, path) =>
      change(routes, path, { body: { endless: zip(64 * 1024), everyMs: 0 }, length: 'none' }),
  },
  {
    name: 'a length beyond any disk',
    on: ofBytes,
    play: (routes, path) => change(routes, path, { length: 2 ** 52 }),
  },
  {
    name: 'a length that is wrong',
    on: anywhere,
    play: (routes, path, random) => change(routes, path, { length: below(random, 40_000) }),
  },
  {
    name: 'one byte now and then',
    on: anywhere,
    play: (routes, path) => change(routes, path, { body: { endless: Buffer.from('P'), everyMs: 20 } }),
  },
  { name: 'silence', on: anywhere, play: (routes, path) => routes.set(path, { silent: true }) },
  {
    name: 'nothing after the headers',
    on: anywhere,
    play: (routes, path) => change(routes, path, { body: '', length: 1000 }),
  },
  {
    name: 'a gzip bomb',
    on: anywhere,
    play: (routes, path) =>
      change(routes, path, {
        body: gzipSync(Buffer.alloc(50_000_000)),
        headers: ['Content-Encoding: gzip', 'Last-Modified: Mon, 23 Mar 2026 00:00:00 GMT'],
      }),
  },
  {
    name: 'a content coding that is none',
    on: anywhere,
    play: (routes, path) => change(routes, path, { headers: ['Content-Encoding: gzip'] }),
  },
  {
    name: 'a page in place of a file',
    on: anywhere,
    play: (routes, path) =>
      change(routes, path, { body: '<html>Sorry</html>', headers: ['Content-Type: application/zip'] }),
  },
  redirect('a redirect to itself', (path) => path),
  redirect('redirects without end', (path, _elsewhere, random) => `${path}?${below(random, 1e9)}`),
  redirect('a redirect to another host', (path, elsewhere) => `${elsewhere}${path}`),
  redirect('a redirect to another host by its user name', (path, elsewhere) =>
    elsewhere.replace('//', '//127.0.0.1@').concat(path),
  ),
  redirect('a redirect without a scheme', (path, elsewhere) => `${elsewhere.replace('http:', '')}${path}`),
  redirect('a redirect to a file', () => 'file:///etc/passwd'),
  redirect('a redirect to data', () => 'data:application/json,{}'),
  redirect('a redirect to no address', () => 'http://[::1'),
  {
    name: 'a date in the future',
    on: ['publish', 'mapping', 'list'],
    play: (routes, path) => {
      rewrite(routes, path, '2026-03-23 08:00:00', '9999-12-31 23:59:59');
      rewrite(routes, path, '20260323T071500', '99991231T071500');
      change(routes, path, { headers: ['Last-Modified: Fri, 31 Dec 9999 23:59:59 GMT'] });
    },
  },
  {
    name: 'a path as name',
    on: ['publish', 'mapping'],
    play: (routes, path, random) => {
      const paths = [
        '../../escaped.zip',
        '..\\escaped.zip',
        '/escaped.zip',
        '.escaped',
        '%2e%2e%2fescaped.zip',
      ];
      const name = quoted(pick(random, paths));
      rewrite(routes, path, names[0] ?? '', name);
      rewrite(routes, path, isinName, name);
    },
  },
  {
    name: 'a name beyond any file system',
    on: ['publish', 'mapping'],
    play: (routes, path) => {
      rewrite(routes, path, names[0] ?? '', `${'x'.repeat(5_000)}.zip`);
      rewrite(routes, path, isinName, `${'x'.repeat(5_000)}.zip`);
    },
  },
  {
    name: 'links to another host',
    on: ['publish', 'mapping'],
    play: (routes, path, _random, elsewhere) => {
      rewrite(routes, path, /\/storage\//g, `${elsewhere}/storage/`);
      rewrite(routes, path, addresses.download, `${elsewhere}${addresses.download}`);
    },
  },
  {
    name: 'escape sequences in texts',
    on: ['publish', 'mapping'],
    play: (routes, path) => {
      rewrite(routes, path, '2026-03-23 08:00:00', quoted(escapes));
      rewrite(routes, path, addresses.download, quoted(`ftp://${escapes}`));
    },
  },
  {
    name: 'escape sequences in place of JSON',
    on: ['publish', 'mapping'],
    play: (routes, path) => change(routes, path, { body: escapes }),
  },
  {
    name: 'escape sequences in the status line',
    on: anywhere,
    play: (routes, path) => routes.set(path, { status: `403 ${escapes.replaceAll('\n', '')}`, body: '' }),
  },
  {
    name: 'sizes that are none',
    on: ['publish'],
    play: (routes, path, random) => {
      const sizes = ['-1', '0', '1', '1e300', '9007199254740991', '"20004"', 'null', '20003.5'];
      rewrite(routes, path, /"size":\d+/g, `"size":${pick(random, sizes)}`);
    },
  },
  {
    name: 'JSON nested without end',
    on: ['publish', 'mapping'],
    play: (routes, path) => change(routes, path, { body: `{"data":${'['.repeat(100_000)}` }),
  },
  {
    name: 'members that are of objects themselves',
    on: ['publish', 'mapping'],
    play: (routes, path) =>
      rewrite(routes, path, '{"data":{', '{"data":{"__proto__":{"x":1},"constructor":{},'),
  },
];

interface Mirror {
  readonly url: string;
  /** The same server under a host name that no setting allows. */
  readonly elsewhere: string;
  /** Host headers of all requests. */
  readonly hosts: Set<string>;
  serve(routes: Routes): void;
  stop(): void;
}

async function startMirror(): Promise<Mirror> {
  let routes: Routes = new Map();
  const hosts = new Set<string>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let asked = '';
    socket.on('data', (bytes) => {
      asked += bytes.toString('latin1');
      if (!asked.includes('\r\n\r\n')) return;
      hosts.add(/^host: *([^\r:]+)/im.exec(asked)?.[1] ?? '');
      const path = /^GET ([^ ?]+)/.exec(asked)?.[1] ?? '';
      asked = '';
      send(socket, routes.get(path) ?? { status: '404 Not Found', body: '' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    elsewhere: `http://localhost:${port}`,
    hosts,
    serve: (next) => {
      routes = next;
      for (const socket of sockets) socket.destroy();
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function send(socket: Socket, { status = '200 OK', headers = [], body = '', length, silent }: Reply): void {
  if (silent === true) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const stated = length ?? ('endless' in bytes ? fileBytes + 4 : bytes.length);
  const lengthLine = stated === 'none' ? [] : [`Content-Length: ${stated}`];
  socket.write(
    `${[`HTTP/1.1 ${status}`, 'Connection: close', ...lengthLine, ...headers].join('\r\n')}\r\n\r\n`,
  );
  if ('endless' in bytes) sendEndlessly(socket, bytes.endless, bytes.everyMs);
  else if (typeof length === 'number' && length > bytes.length) socket.write(bytes);
  else socket.end(bytes);
}

function sendEndlessly(socket: Socket, piece: Uint8Array, everyMs: number): void {
  const next = () => {
    if (socket.destroyed) return;
    const goesOn = socket.write(piece);
    if (everyMs > 0) setTimeout(next, everyMs);
    else if (goesOn) setImmediate(next);
    else socket.once('drain', next);
  };
  next();
}

/** The effect of one trick on an update. */
interface Played {
  readonly said: readonly string[];
  readonly error: unknown;
  readonly ms: number;
  readonly bytesMost: number;
}

/** @param limits in place of those of an update */
async function play(
  mirror: Mirror,
  folder: string,
  limits: Partial<Transport['limits']> = shortened,
): Promise<Played> {
  const said: string[] = [];
  const signal = AbortSignal.timeout(2 * trickMsMax);
  const settings = {
    goldenCopyUrl: `${mirror.url}/publishes`,
    mappingUrl: `${mirror.url}/v2`,
    micListUrl: `${mirror.url}${addresses.list}`,
    downloadHosts: [],
  };
  const real = createTransport(settings, signal, (message) => void said.push(message));
  const transport: Transport = { ...real, limits: { ...real.limits, ...limits } };
  const startedAt = performance.now();
  let bytesMost = 0;
  let error: unknown = null;
  try {
    const publishers = { ...settings, updateMappings: ['isin', 'mic-list'] as const };
    const choice = await findUpdate(transport, publishers, null, { full: true, format: 'xml' });
    await fetchUpdate(transport, choice, join(folder, 'downloads'), ({ bytes }) => {
      bytesMost = Math.max(bytesMost, bytes);
    });
  } catch (thrown) {
    error = thrown;
  }
  return { said, error, ms: performance.now() - startedAt, bytesMost };
}

/** All faults in an update's reaction to a trick. */
function judge(trick: string, { said, error, ms, bytesMost }: Played, folder: string): string[] {
  const wrong: string[] = [];
  const report = (what: string) => void wrong.push(`${trick}: ${what}`);
  if (ms > trickMsMax) report(`held the update for ${(ms / 1000).toFixed(1)} s`);
  if (error !== null && !(error instanceof ExpectedFailure)) report(`was a bug: ${reasonOf(error)}`);
  const texts = error === null ? said : [...said, reasonOf(error)];
  for (const text of texts) {
    if (/[\p{Cc}\p{Cf}]/u.test(text)) report(`reached a terminal: ${JSON.stringify(text)}`);
  }
  const announced = fileBytes + 4;
  if (bytesMost > announced) report(`wrote ${bytesMost} bytes, though ${announced} were announced`);
  const stray = readdirSync(folder).filter((name) => name !== 'downloads');
  if (stray.length > 0) report(`left ${stray.join(', ')} outside the downloads`);
  const left =
    stray.length === 0 && readdirSync(folder).length > 0 ? readdirSync(join(folder, 'downloads')) : [];
  for (const name of left) {
    const { size } = statSync(join(folder, 'downloads', name));
    if (size > announced) report(`left ${name} with ${size} bytes`);
  }
  return wrong;
}

const run: Attack['run'] = async ({ rounds, seed, say, folder: parent }) => {
  const random = randomOf(seed);
  const mirror = await startMirror();
  const wrong: string[] = [];
  try {
    mirror.serve(honestRoutes());
    const folder = join(parent, 'honest');
    mkdirSync(folder);
    // A busy machine is silent for longer than the shortened limits.
    const honest = await play(mirror, folder, {});
    if (honest.error !== null) wrong.push(`Without a trick the update fails: ${reasonOf(honest.error)}`);
    for (let turn = 0; turn < rounds * tricksPerRound; turn++) {
      const trick = tricks[turn % tricks.length];
      if (trick === undefined) continue;
      const address = pick(random, trick.on);
      const name = `${trick.name} (${address}, turn ${turn})`;
      say(name);
      const routes = honestRoutes();
      trick.play(routes, addresses[address], random, mirror.elsewhere);
      mirror.serve(routes);
      const target = join(parent, String(turn));
      mkdirSync(target);
      wrong.push(...judge(name, await play(mirror, target), target));
      rmSync(target, { recursive: true });
    }
    const foreign = [...mirror.hosts].filter((host) => host !== '127.0.0.1');
    if (foreign.length > 0) wrong.push(`Other hosts were asked: ${foreign.join(', ')}`);
  } finally {
    mirror.stop();
  }
  return { tried: rounds * tricksPerRound, wrong };
};

export const attack: Attack = { name: 'hostile-mirror', run };
