/**
 * Tests a fleet under load: three nodes behind haproxy swap at one moment, go back, lose a node and get another one,
 * and no client notices. The long form (`npm run test:long`) does it 50 times.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { changeAnnouncement, propose, withdraw } from '../../src/shipping/announcement.ts';
import { openWritableStore } from '../../src/shipping/open-store.ts';
import { readShipment } from '../../src/shipping/shipment.ts';
import { lei } from '../loader/publishing.ts';
import { type FleetNode, startFleet, type TestFleet } from '../support/fleet.ts';
import { pageThrough } from '../support/paging.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { steadyLoad, until } from '../support/steady-load.ts';

/** How often the long form swaps; 0 leaves it out. */
const swaps = Number(process.env['LONG_SWAPS'] ?? 0);
const hasAll = isInstalled('redis-server') && isInstalled('haproxy');

describe.skipIf(!hasAll)(titled('a fleet of three nodes', 'redis-server', 'haproxy'), () => {
  let fleet: TestFleet;
  let nodes: FleetNode[];
  let [first, second] = ['', ''];
  beforeAll(async () => {
    fleet = await startFleet(['one', 'two', 'three', 'late']);
    first = await fleet.publish('2024-05-04', 60, { city: 'LONDON' });
    second = await fleet.publish('2024-05-05', 60, { city: 'LEEDS' });
    nodes = await Promise.all(['one', 'two', 'three'].map((name) => fleet.start(name)));
    expect(await fleet.announce(first, '--nodes', '3')).toMatchObject({ code: 0 });
  });
  afterAll(() => fleet?.stop());

  /** Once each node serves the publication, all give the same answers. */
  async function sameEverywhere(id: string): Promise<void> {
    await Promise.all(nodes.map((node) => fleet.serves(node, id)));
    const answers = await Promise.all(
      nodes.map(async ({ url }) => {
        const answer = await fetch(`${url}/api/v1/lei/${lei(1)}`);
        const { headers } = answer;
        const [modified, tag] = [headers.get('last-modified'), headers.get('etag')];
        return { status: answer.status, modified, tag, body: await answer.text() };
      }),
    );
    const [one] = answers;
    expect(one?.status).toBe(200);
    for (const other of answers) expect<typeof one>(other).toEqual(one);
  }

  test('swaps and goes back under load, loses a node and gains another: every page of a traversal comes from one publication', async () => {
    const search = `${fleet.url}/api/v1/search?q=number&limit=7`;
    await until(async () => (await fetch(search)).status === 200);
    const paging = pageThrough(search, 4);
    const announced = fleet.announce(second);
    const late = fleet.start('late');
    expect(await announced).toMatchObject({ code: 0, json: { active: { id: second }, leftBehind: [] } });
    nodes.push(await late);
    await sameEverywhere(second);

    const back = fleet.announce('--rollback');
    await nodes.shift()?.kill();
    expect(await back).toMatchObject({ code: 0, json: { active: { id: first } } });
    await sameEverywhere(first);
    await until(() => paging.traversals() > 4);
    expect(await paging.stop()).toEqual([]);
  });

  test('does not move if a node refuses the proposed publication, and says which node and why', async () => {
    const third = await fleet.publish('2024-05-06', 60, { city: 'YORK' });
    const canary = nodes[0];
    const { incomings } = layout(canary?.dataDir ?? '');
    rmSync(incomings, { recursive: true, force: true });
    writeFileSync(incomings, 'a file in the place of a folder');
    const refused = await fleet.announce(third);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'refused-by-node' } } });
    expect(JSON.stringify(refused.json)).toContain(`${canary?.name} refuses ${third}`);
    const { json } = await fleet.lei('fleet');
    expect(json).toContainEqual(expect.objectContaining({ name: canary?.name, active: first }));
    rmSync(incomings);
    mkdirSync(incomings);
    expect(await fleet.announce(third)).toMatchObject({ code: 0, json: { active: { id: third } } });
  });

  test('a node that does not run while a proposal is withdrawn deletes what it has fetched for it', async () => {
    const proposed = await fleet.publish('2024-05-08', 60, { city: 'RIPON' });
    const store = openWritableStore(fleet.store);
    const shipment = (await readShipment(store, proposed))?.sha256 ?? '';
    const folders = nodes.map(({ dataDir }) => layout(dataDir).publication(proposed));
    const [ofFirst = ''] = folders;
    await changeAnnouncement(store, propose({ id: proposed, shipment }, new Date(), 3_600_000));
    await until(() => folders.every((folder) => existsSync(folder)), 'every node fetches the proposal');
    const killed = nodes.shift();
    await killed?.kill();
    await changeAnnouncement(store, withdraw(proposed));
    await until(() => !folders.slice(1).some((folder) => existsSync(folder)), 'running nodes delete it');
    expect(existsSync(ofFirst)).toBe(true);
    const again = await fleet.start(killed?.name ?? '');
    nodes.push(again);
    await until(() => !existsSync(ofFirst), 'the restarted node deletes it');
    expect((await again.ready()).status).toBe(200);
  });

  test.skipIf(swaps === 0)(
    `swaps ${swaps || 50} times, goes back every tenth time, loses a node and gets it back, and no answer fails`,
    async () => {
      const third = await fleet.publish('2024-05-07', 60, { city: 'BATH' });
      const paging = pageThrough(`${fleet.url}/api/v1/search?q=number&limit=7`, 3);
      const looking = steadyLoad(`${fleet.url}/api/v1/lei/${lei(1)}`, 2);
      for (let swap = 0; swap < swaps; swap++) {
        const id = [first, second, third][swap % 3] ?? '';
        const announced = fleet.announce(id);
        const [one] = nodes;
        if (one !== undefined && swap === swaps >> 1) {
          nodes.shift();
          await one.kill();
          nodes.push(await fleet.start(one.name));
        }
        expect({ swap, ...(await announced) }).toMatchObject({ swap, code: 0, json: { active: { id } } });
        await sameEverywhere(id);
        if (swap % 10 !== 9) continue;
        expect(await fleet.announce('--rollback')).toMatchObject({ code: 0 });
        await sameEverywhere([first, second, third][(swap + 2) % 3] ?? '');
      }
      expect([await paging.stop(), await looking.stop()]).toEqual([[], []]);
      process.stderr.write(
        `${swaps} swaps: ${paging.traversals()} traversals, ${looking.answered()} look-ups.\n`,
      );
    },
    20_000 * swaps + 60_000,
  );
});
