/** Tests how a bucket is written if its service answers with errors. A local server gives the answers of one. */
import { afterAll, expect, test } from 'bun:test';
import { s3Store } from '../../src/shipping/s3-store.ts';

const variables = ['AWS_ENDPOINT_URL_S3', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
const before = variables.map((name) => process.env[name]);
afterAll(() => {
  for (const [index, name] of variables.entries()) {
    const value = before[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test('an announcement is written again after a 500, and a refusal of the next request ends that at once', async () => {
  const requests: string[] = [];
  const answers = [500, 403, 500, 404, 200];
  await using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ method }) {
      requests.push(method);
      return new Response(null, { status: answers[requests.length - 1] ?? 599 });
    },
  });
  process.env['AWS_ENDPOINT_URL_S3'] = `http://127.0.0.1:${server.port}`;
  process.env['AWS_ACCESS_KEY_ID'] = 'key';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'secret';
  const store = s3Store('bucket', '');
  await expect(store.replace('fleet.json', Buffer.from('{}'), null)).rejects.toThrow('answers 403');
  expect(requests).toEqual(['PUT', 'GET']);
  expect(await store.replace('fleet.json', Buffer.from('{}'), null)).toBe(true);
  expect(requests.slice(2)).toEqual(['PUT', 'GET', 'PUT']);
});
