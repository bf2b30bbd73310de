/**
 * Tests S3 as a source of publications, with Ceph's radosgw. It takes fifteen seconds to start, so the long form runs
 * it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { changeAnnouncement, move } from '../../src/shipping/announcement.ts';
import { s3Store } from '../../src/shipping/s3-store.ts';
import { objectStoreContract } from '../contracts/object-stores.ts';
import { company, publish as writeFiles } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { type S3Server, startRadosgw } from '../support/radosgw.ts';
import { runLeiIn } from '../support/run-lei.ts';
import { type Served, serve } from '../support/serve.ts';
import { until } from '../support/steady-load.ts';

const isAsked = process.env['LONG_S3'] === 'on';

describe.skipIf(!isAsked || !isInstalled('radosgw'))(titled('S3', 'radosgw'), () => {
  let server: S3Server;
  const before = { ...process.env };
  beforeAll(async () => {
    server = await startRadosgw();
    Object.assign(process.env, server.environment);
  });
  let node: Served | null = null;
  afterAll(async () => {
    node?.kill('SIGKILL');
    await server?.stop();
    for (const name of Object.keys(server.environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  let prefixes = 0;
  const newStore = () => s3Store(server.bucket, `test-${++prefixes}/`);
  objectStoreContract('a bucket', newStore);

  test('a bucket lists more objects than one answer contains', async () => {
    const store = newStore();
    const names = Array.from({ length: 1_010 }, (_, n) => `objects/${n}`);
    for (let at = 0; at < names.length; at += 101)
      await Promise.all(names.slice(at, at + 101).map((name) => store.write(name, new Uint8Array(1))));
    expect((await store.list('objects/')).size).toBe(names.length);
  });

  test('no announcement is lost when many are made at the same time', async () => {
    const store = newStore();
    const named = (n: number) => ({ id: `20240504T000000Z-${10_000_000 + n}`, shipment: '1'.repeat(64) });
    const timing = { now: new Date(), leadMs: 0, deadline: null };
    const moves = Array.from({ length: 12 }, (_, n) => changeAnnouncement(store, move(named(n), timing)));
    const generations = (await Promise.all(moves)).map(({ generation }) => generation);
    expect(generations.toSorted((a, b) => a - b)).toEqual(moves.map((_, index) => index + 1));
  });

  test('a publication is published, announced, followed and swept in a bucket', async () => {
    const builder = temporaryFolder('builder');
    const to = `s3://${server.bucket}/fleet`;
    const lei = async (...args: readonly string[]) => {
      const env = { ...process.env, LEI_DATA_DIR: builder };
      const ran = await runLeiIn(process.cwd(), env, [...args, '--json']);
      expect(ran).toMatchObject({ code: 0 });
      return ran.stdout;
    };
    node = await serve(temporaryFolder('node'), { ...server.environment, LEI_PUBLICATION_SOURCE: to });
    for (const [at, city] of [
      ['2024-05-04T00:00:00Z', 'LONDON'],
      ['2024-05-03T00:00:00Z', 'LEEDS'],
    ] as const) {
      const companies = Array.from({ length: 300 }, (_, index) => company(index + 1, { city }));
      await lei('load', ...writeFiles(builder, { at, companies }));
      const { id }: { id: string } = JSON.parse(await lei('publish', '--to', to, '--keep', '1'));
      await lei('announce', id, '--force', '--to', to);
      await until(async () => JSON.stringify((await node?.json('/api/v1/status'))?.body).includes(id));
    }
    node.kill('SIGTERM');
    expect(await node.exited).toBe(0);
  });
});
