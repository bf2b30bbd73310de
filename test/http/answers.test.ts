/** Tests that every request that reaches a handler gets an envelope or a problem that its operation may answer. */
import { afterAll, describe, expect, test } from 'bun:test';
import { FormatRegistry } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { problemKinds } from '../../src/http/problem-kinds.ts';
import { ProblemSchema } from '../../src/lei/answers.ts';
import type { Answer } from '../../src/protocol/questions.ts';
import { endpointAt } from '../api/endpoint-at.ts';
import { decoderOf } from '../support/decoders.ts';
import { parseAnswer, type RawAnswer, sendRaw } from '../support/raw-socket.ts';
import { found, startInMemory } from './app-in-memory.ts';

FormatRegistry.Set('uri', (text) => URL.canParse(text));
FormatRegistry.Set('date-time', (text) => !Number.isNaN(Date.parse(text)));

const service = startInMemory();
afterAll(() => service.stop());

const outcomes: readonly Answer[] = [
  found({ a: 1 }),
  found({ items: [] }, 'next'),
  { outcome: 'not-found' },
  { outcome: 'invalid', parameter: 'country', detail: 'must be a country' },
  { outcome: 'unavailable', reason: 'queue-full' },
  { outcome: 'unavailable', reason: 'publication-gone' },
  { outcome: 'unavailable', reason: 'failed' },
];

const pathPiece = fc.constantFrom(
  '/api/v1',
  '/lei',
  '/search',
  '/bic',
  '/isin',
  '/mic',
  '/status',
  '/changes',
  '/relationships',
  '/213800E5Z6QRDSMZMK84',
  '/DEUTDEFF',
  '/XETR',
  '/',
  '//',
  '/..',
  '%2F',
  '%',
  '%00',
  '%ff',
  '.',
  ';',
  '/docs',
  '/problems/internal',
);
/** Characters that HTTP allows in a target; no others reach a handler. */
const anything = fc.stringMatching(/^[!-~]{0,12}$/);
const knownPath = fc.constantFrom(
  '/api/v1/lei/213800E5Z6QRDSMZMK84',
  '/api/v1/lei/213800E5Z6QRDSMZMK84/changes',
  '/api/v1/lei/213800E5Z6QRDSMZMK84/relationships',
  '/api/v1/search',
  '/api/v1/mic/XETR',
  '/api/v1/status',
);
const path = fc.oneof(
  knownPath,
  fc.constantFrom('/', '/suggest'),
  fc
    .array(fc.oneof(pathPiece, anything), { minLength: 1, maxLength: 5 })
    .map((pieces) => `/${pieces.join('')}`),
);
const queryPiece = fc.constantFrom(
  'q=bank',
  'q=',
  'limit=5',
  'limit=0',
  'country=DE',
  'cursor=abc',
  '&',
  '=',
  '%',
  '+',
  '?',
  '#',
);
const query = fc.array(fc.oneof(queryPiece, anything), { maxLength: 5 }).map((pieces) => pieces.join('&'));
const headerName = fc.constantFrom(
  'If-None-Match',
  'If-Modified-Since',
  'Accept-Encoding',
  'Accept',
  'Authorization',
  'X-Request-Id',
  'X-Forwarded-For',
  'Origin',
  'Range',
  'Expect-Nothing',
);
const headerValue = fc.oneof(
  fc.constantFrom('*', '"x"', 'W/"x"', 'gzip', 'identity;q=0', 'Bearer lei_live_x', 'bytes=0-1', '127.0.0.1'),
  fc.stringMatching(/^[ -~]{0,20}$/),
);
const header = fc.tuple(headerName, headerValue).map(([name, value]) => `${name}: ${value}`);
const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND');

describe('any path, query, header and method', () => {
  test('gets a well-formed envelope, problem or page, in a status that the operation may have (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          method,
          path,
          query,
          headers: fc.array(header, { maxLength: 4 }),
          answer: fc.constantFrom(...outcomes),
        }),
        async ({ method: verb, path: target, query: text, headers, answer }) => {
          service.scene.answer = (question) =>
            question.kind === 'compress' ? { outcome: 'unavailable', reason: 'queue-full' } : answer;
          const address = text === '' ? target : `${target}?${text}`;
          const lines = [`${verb} ${address} HTTP/1.1`, 'Host: x', ...headers, 'Connection: close', '', ''];
          const reply = parseAnswer(await sendRaw(service.port, lines.join('\r\n'), 'latin1'));
          expectWellFormed(verb, target, reply, address.includes('#'));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('gets the same bytes for the same request until the publication changes (property)', async () => {
    service.scene.answer = (question) => found(question);
    await fc.assert(
      fc.asyncProperty(
        knownPath.filter((known) => known !== '/api/v1/status'),
        query,
        async (known, text) => {
          const request = `GET ${known}?${text} HTTP/1.1\r\nHost: x\r\nX-Request-Id: same\r\nConnection: close\r\n\r\n`;
          const [one, two] = [await sendRaw(service.port, request), await sendRaw(service.port, request)];
          const withoutDate = (reply: string) => reply.replace(/^date: .*\r\n/im, '');
          expect(withoutDate(two)).toBe(withoutDate(one));
        },
      ),
      { numRuns: 60 },
    );
  });
});

function expectWellFormed(
  verb: string,
  target: string,
  { status, headers, body: sent }: RawAnswer,
  isMalformed: boolean,
) {
  const body = decoded(headers.get('content-encoding') ?? '', sent);
  const type = headers.get('content-type') ?? '';
  const known = endpointAt(new URL(`http://x${target}`).pathname);
  const operationId = known?.operationId ?? null;
  expect(isMalformed ? refusals(operationId) : allowedStatuses(verb, operationId)).toContain(status);
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  if (verb === 'HEAD' || status === 204 || status === 304) {
    expect(body).toBe('');
    return;
  }
  if (status === 200 && known !== null) {
    expect(type).toBe('application/json');
    expect(Object.keys(JSON.parse(body))).toEqual(['data', 'meta', 'links']);
    return;
  }
  if (status === 200) return;
  if (type.startsWith('text/html')) {
    expect(body).toStartWith('<!doctype html>');
    return;
  }
  expect(type).toBe('application/problem+json');
  const problem: unknown = JSON.parse(body);
  expect(Value.Check(ProblemSchema, problem)).toBe(true);
  expect(problem).toMatchObject({ status });
  expect(Object.values(problemKinds).some((kind) => kind.status === status)).toBe(true);
}

/** The text of a body that was sent; the answer to HEAD names the coding of a body that it has not. */
function decoded(coding: string, sent: string): string {
  const bytes = Buffer.from(sent, 'latin1');
  const decode = sent === '' ? null : decoderOf(coding);
  return (decode === null ? bytes : decode(bytes)).toString();
}

/** A `#` in a request target is refused, once the method is known to be one of the path. */
function refusals(operationId: string | null): readonly number[] {
  return operationId === null ? [204, 400, 404, 405] : [204, 400, 405];
}

function allowedStatuses(verb: string, operationId: string | null): readonly number[] {
  if (verb === 'OPTIONS') return [204];
  // Pages ask questions too; the search page redirects to a company for its LEI.
  if (operationId === null) return [200, 303, 304, 400, 404, 405, 503];
  if (verb !== 'GET' && verb !== 'HEAD') return [405];
  return operationId === 'getStatus' ? [200, 304, 503] : [200, 304, 400, 404, 503];
}
