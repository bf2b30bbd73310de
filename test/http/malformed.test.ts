/** Tests requests that no HTTP client sends. */
import { afterAll, describe, expect, test } from 'bun:test';
import { parseAnswer, rawRequest, sendRaw } from '../support/raw-socket.ts';
import { company, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

/** The status of an answer, or null if the connection was closed without one. */
async function statusOf(request: string): Promise<number | null> {
  const text = await sendRaw(service.port, request);
  return text === '' ? null : parseAnswer(text).status;
}
const stillServes = async () =>
  expect((await rawRequest(service.port, 'GET', company.path)).status).toBe(200);

describe('a malformed request', () => {
  const broken = [
    ['words', 'hello there\r\n\r\n'],
    ['no version', `GET ${company.path}\r\n\r\n`],
    ['a space in the target', 'GET /api/v1/search?q=a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a NUL in the target', 'GET /api/v1/search?q=a\0b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no Host', `GET ${company.path} HTTP/1.1\r\n\r\n`],
    ['a negative length', `GET ${company.path} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`],
    [
      'two framings',
      `POST ${company.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a header without a name', `GET ${company.path} HTTP/1.1\r\nHost: x\r\n: v\r\n\r\n`],
    ['an asterisk as target', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ] as const;
  for (const [what, request] of broken) {
    test(`(${what}) is refused or dropped, and the next request is served`, async () => {
      const status = await statusOf(request);
      expect(status === null || (status >= 400 && status < 600)).toBe(true);
      await stillServes();
    });
  }
});

describe('an unusual request', () => {
  test('with 150 headers is answered', async () => {
    const headers = Array.from({ length: 150 }, (_, index) => `X-H${index}: v`);
    expect((await rawRequest(service.port, 'GET', company.path, headers)).status).toBe(200);
  });

  test('with 1,000 headers, or with 64 kB of headers, is refused, and the next one is served', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `X-H${index}: v`);
    expect((await rawRequest(service.port, 'GET', company.path, many)).status).toBe(431);
    const long = [`X-Long: ${'a'.repeat(64 * 1024)}`];
    expect((await rawRequest(service.port, 'GET', company.path, long)).status).toBe(431);
    await stillServes();
  });

  test('of HTTP/1.0 without Host, with an empty Host or with another one than its target is answered', async () => {
    const heads = [
      `GET ${company.path} HTTP/1.0\r\n`,
      `GET ${company.path} HTTP/1.1\r\nHost: \r\nConnection: close\r\n`,
      `GET http://other.example${company.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`,
    ];
    for (const head of heads) {
      const answer = parseAnswer(await sendRaw(service.port, `${head}\r\n`));
      expect([head, answer.status]).toEqual([head, 200]);
      expect(JSON.parse(answer.body).links).toEqual({ self: company.path });
    }
  });

  test('without a Host gets pages and problems too', async () => {
    const get = async (path: string) =>
      parseAnswer(await sendRaw(service.port, `GET ${path} HTTP/1.0\r\n\r\n`)).status;
    expect(await get('/api/v1/lei/123')).toBe(400);
    expect(await get('/api/v1/nothing')).toBe(404);
    expect(await get('/docs')).toBe(200);
    expect(await get('/robots.txt')).toBe(200);
    expect(await get('/problems/not-found')).toBe(200);
    expect(await get('/reconcile/suggest/property?prefix=c')).toBe(200);
  });

  test('without a Host, or with a short one, gets 405 for another method', async () => {
    for (const head of ['HTTP/1.0\r\n', 'HTTP/1.1\r\nHost: \r\n', 'HTTP/1.1\r\nHost: x\r\n']) {
      const request = `POST ${company.path} ${head}Connection: close\r\n\r\n`;
      const answer = parseAnswer(await sendRaw(service.port, request));
      expect([head, answer.status, answer.headers.get('allow')]).toEqual([head, 405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('with an identifier that is not percent-encoded UTF-8 gets a message about it', async () => {
    const answer = await rawRequest(service.port, 'GET', '/api/v1/lei/%FF');
    expect(answer.status).toBe(400);
    const detail = 'The identifier in the path must be percent-encoded UTF-8.';
    expect(JSON.parse(answer.body)).toMatchObject({ detail, errors: [{ parameter: 'lei', detail }] });
  });

  test('with such an identifier in the address of a page is an unknown address, whatever its method', async () => {
    for (const method of ['GET', 'POST', 'SEARCH']) {
      const answer = await rawRequest(service.port, method, '/company/%FF');
      expect([method, answer.status]).toEqual([method, 404]);
    }
  });

  test('of GET with a body is answered like one without', async () => {
    const request = `GET ${company.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`;
    expect(await statusOf(request)).toBe(200);
  });

  test('with dots in its path reaches the path that they resolve to', async () => {
    const answer = await rawRequest(service.port, 'GET', `/api/v1/x/../lei/213800E5Z6QRDSMZMK84`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).links).toEqual({ self: company.path });
    expect((await rawRequest(service.port, 'GET', '/../../etc/passwd')).status).toBe(404);
  });

  test('shows that Bun’s own server resolves dots and backslashes, and does not tell', async () => {
    const bare = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ({ url }) => new Response(url) });
    for (const target of ['/a/../b', '/a/%2e%2E/b', '/a/..\\b', '/./b', '/../b', 'http://c.example/a/../b']) {
      const { body } = await rawRequest(bare.port ?? 0, 'GET', target);
      expect([target, body]).toEqual([target, 'http://service.test/b']);
    }
    await bare.stop(true);
  });

  const statuses = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);

  test('shows that Bun’s own server answers trailers twice', async () => {
    const fetch = async ({ body }: Request) =>
      new Response(body === null ? 'none' : await new Response(body).text());
    const bare = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
    const chunked = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nT: 1\r\n\r\n`;
    expect(statuses(await sendRaw(bare.port ?? 0, chunked))).toEqual(['200', '400']);
    await bare.stop(true);
  });

  test('that expects 100 Continue gets it once, before the answer', async () => {
    const expecting = 'HTTP/1.1\r\nHost: service.test\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    expect(statuses(await sendRaw(service.port, `GET ${company.path} ${expecting}`))).toEqual(['100', '200']);
  });

  test('with dots in place of an identifier gets 404', async () => {
    for (const path of ['/api/v1/lei/..', '/api/v1/bic/%2E', '/api/v1/lei/%2e%2E/relationships']) {
      const answer = await rawRequest(service.port, 'GET', path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(JSON.parse(answer.body).detail).toStartWith('There is nothing at this path.');
    }
  });

  test('with a line break in a parameter cannot inject a header into the answer', async () => {
    const answer = await rawRequest(service.port, 'GET', '/api/v1/search?q=a%0d%0aX-Injected:%201');
    expect(answer.status).toBe(200);
    expect(answer.headers.has('x-injected')).toBe(false);
  });
});

describe('a malformed address', () => {
  const hosts = ['a b/c?d#e', 'a/api/v1/status?', '[::1', 'x:99999', '256.256.256.256'];
  const paths = [company.path, '/api/v1/status', '/reconcile', '/', '/docs', '/nowhere', '/company/x'];
  const answerTo = async (target: string, host: string) =>
    parseAnswer(
      await sendRaw(service.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );

  test('gets 400 on every path, for a Host that is none', async () => {
    for (const path of paths) {
      for (const host of hosts) {
        const { status, body } = await answerTo(path, host);
        expect([path, host, status]).toEqual([path, host, 400]);
        expect(JSON.parse(body).detail).toStartWith('The Host header is not a host');
      }
    }
    const message =
      'POST /mcp HTTP/1.1\r\nHost: a b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
    expect(parseAnswer(await sendRaw(service.port, message)).body).toContain('The Host header is not a host');
    expect(service.errorLog).toEqual([]);
  });

  test('gets 400 on every path, for a fragment before the query, in it or without one', async () => {
    for (const path of paths) {
      for (const end of ['#', '#?q=bank', '?#&q=bank', '?q=bank#']) {
        const { status, body } = await answerTo(path + end, 'x');
        expect([path, end, status]).toEqual([path, end, 400]);
        expect(JSON.parse(body)).toMatchObject({ title: 'Malformed request', status: 400 });
      }
    }
    expect(service.questions).toEqual([]);
  });

  test('counts like any other fault', async () => {
    const admitted = { pages: 0, api: 0 };
    const { admit, admitPage } = service.scene;
    service.scene.admit = (request) => {
      admitted.api += request.units;
      return admit(request);
    };
    service.scene.admitPage = (request) => {
      admitted.pages++;
      return admitPage(request);
    };
    for (const path of [company.path, '/reconcile', '/docs', '/nowhere']) await answerTo(`${path}#`, 'x');
    // The router takes the fragment for a part of the path, so only the first path is one of the API.
    expect(admitted).toEqual({ pages: 3, api: 1 });
    const tasks = ['/reconcile', '/mcp'];
    for (const path of [company.path, ...tasks, '/docs']) {
      const method = path === '/mcp' ? 'POST' : 'GET';
      await sendRaw(service.port, `${method} ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);
    }
    // The pages' bucket counts '/docs', which costs nothing if its address is right.
    expect(admitted).toEqual({ pages: 4, api: 4 });
  });

  test('of a batch costs one, however many values it may have', async () => {
    const admitted: number[] = [];
    const { admit } = service.scene;
    service.scene.admit = (request) => {
      admitted.push(request.units);
      return admit(request);
    };
    const batch = `/ext/v1/companies?lei=${company.lei},${company.lei},${company.lei}`;
    for (const [target, host] of [
      [batch, 'x'],
      [`${batch}#`, 'x'],
      [batch, 'a b'],
      [batch, 'a, b'],
    ] as const)
      await answerTo(target, host);
    expect(admitted).toEqual([3, 1, 1, 1]);
  });
});

describe('the connection', () => {
  const paths = [company.path, '/api/v1/status', '/docs', '/nowhere'];
  /** The header `Connection` of the first answer to a request. */
  async function connectionOf(head: string, body = ''): Promise<string | null> {
    const text = await sendRaw(
      service.port,
      `${head}\r\n\r\n${body}GET / HTTP/1.1\r\nConnection: close\r\n\r\n`,
    );
    return parseAnswer(text).headers.get('connection') ?? null;
  }

  test('ends after the answer to a request with a body, on every path', async () => {
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: x`;
        expect(await connectionOf(`${head}\r\nContent-Length: 3`, 'abc')).toBe('close');
        expect(await connectionOf(`${head}\r\nTransfer-Encoding: chunked`, '0\r\n\r\n')).toBe('close');
        expect(await connectionOf(`${head}\r\nContent-Length: 0`)).toBeNull();
      }
    }
  });

  test('ends after the answer to HTTP/1.0 without a Host, and to one passed on by a proxy', async () => {
    for (const path of paths) {
      expect(await connectionOf(`GET ${path} HTTP/1.0`)).toBe('close');
      // As haproxy sends it.
      const passedOn = 'Host: x\r\nX-Forwarded-For: 192.0.2.1\r\nConnection: keep-alive';
      expect(await connectionOf(`GET ${path} HTTP/1.0\r\n${passedOn}`)).toBe('close');
    }
  });

  test('stays open for a browser, which asks for it', async () => {
    expect(
      await connectionOf(`GET ${company.path} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive`),
    ).toBeNull();
  });
});

describe('several Host headers', () => {
  test('get 400 before any question is asked, and end the connection', async () => {
    const questions = service.questions.length;
    const paths = [
      company.path,
      '/api/v1/status',
      '/docs',
      '/nowhere',
      '/reconcile',
      '/mcp',
      '/gleif/api/v1/x',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const answer = parseAnswer(
          await sendRaw(
            service.port,
            `${method} ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n`,
          ),
        );
        expect([path, answer.status, answer.headers.get('connection')]).toEqual([path, 400, 'close']);
        if (!path.startsWith('/gleif'))
          expect(JSON.parse(answer.body)).toMatchObject({ title: 'Malformed request', status: 400 });
      }
    }
    expect(service.questions).toHaveLength(questions);
  });

  test('get the rate-limit headers of a counted endpoint', async () => {
    const answer = await sendRaw(service.port, `GET ${company.path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);
    expect(parseAnswer(answer).headers.get('x-ratelimit-limit')).toBe('100');
  });
});
