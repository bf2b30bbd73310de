/**
 * Tests where the tools get their answers: a publication that changes meanwhile, a service whose quota ends and
 * returns.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { localSource } from '../../src/commands/mcp/local.ts';
import { remoteSource } from '../../src/commands/mcp/remote.ts';
import { readConfig } from '../../src/config.ts';
import { chooseOperation, type ToolSource } from '../../src/mcp/call.ts';
import { tools } from '../../src/mcp/tools.ts';
import { manifestOf } from '../support/manifest.ts';
import { memoryPublication } from '../support/memory-publication.ts';
import { startTestService, type TestService } from '../support/service.ts';

const bank = '7LTWFZYICNSX8D621K86';
const [first, second] = ['20261004T160000Z-3f9a1c2b', '20261005T160000Z-77aa01bc'];

function ask(source: ToolSource, name: string, given: Readonly<Record<string, unknown>>) {
  const choice = chooseOperation(tools.find((tool) => tool.name === name)?.endpoints ?? [], given);
  if (!choice.ok) throw new Error(choice.message);
  return source.call(choice.endpoint, choice.texts);
}

describe('the publication on disk', () => {
  test('is the active one at each call; the previous one is closed, and its cursors end', async () => {
    let active = first;
    const closed: string[] = [];
    const changes = { [bank]: ['{"n":3}', '{"n":2}', '{"n":1}'] };
    const source = localSource({
      config: readConfig({}).config,
      active: () => manifestOf(active ?? '', {}),
      open: async (id) => ({
        ...memoryPublication({ id, companies: [{ lei: bank, name: 'Bank' }], changes }),
        close: async () => void closed.push(id),
      }),
    });
    const page = await ask(source, 'changes', { lei: bank, limit: 2 });
    if (!page.ok) throw new Error(page.message);
    expect(page.meta).toMatchObject({ datasetVersion: first });
    const rest = await ask(source, 'changes', { lei: bank, limit: 2, cursor: page.next });
    expect(rest).toMatchObject({ ok: true, data: { items: [{ n: 1 }] }, next: null });

    active = second;
    const calls = [1, 2, 3].map(() => ask(source, 'look_up', { lei: bank }));
    for (const told of await Promise.all(calls)) {
      expect(told).toMatchObject({ ok: true, meta: { datasetVersion: second } });
    }
    expect(closed).toEqual([first ?? '']);
    const late = await ask(source, 'changes', { lei: bank, limit: 2, cursor: page.next });
    expect(late).toMatchObject({ ok: false, message: expect.stringContaining('another dataset version') });
    await source.close();
    expect(closed).toEqual([first ?? '', second ?? '']);
  });

  test('that can’t be opened fails the call, and the next call tries again', async () => {
    let broken = true;
    const source = localSource({
      config: readConfig({}).config,
      active: () => manifestOf(first ?? '', {}),
      open: async (id) => {
        if (broken) throw new Error('damaged');
        return memoryPublication({ id, companies: [{ lei: bank, name: 'Bank' }] });
      },
    });
    await expect(ask(source, 'look_up', { lei: bank })).rejects.toThrow('damaged');
    broken = false;
    expect(await ask(source, 'look_up', { lei: bank })).toMatchObject({ ok: true });
    await source.close();
  });
});

describe('a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { LEI_LIMITS: 'enforce', LEI_ANONYMOUS_DAILY: '1' } });
  });
  afterAll(() => service.stop());

  test('whose daily quota is used up is not asked until it is restored', async () => {
    let now = Date.now();
    const source = remoteSource({ url: service.baseUrl, key: null, clock: () => now });
    expect(await ask(source, 'look_up', { lei: bank })).toMatchObject({ ok: true });
    const refused = await ask(source, 'look_up', { lei: bank });
    expect(refused).toMatchObject({
      ok: false,
      message: expect.stringContaining('daily quota of 1 requests'),
    });
    await service.stop();
    // All tools share the daily quota.
    expect(await ask(source, 'search', { q: 'bank' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('Try again in'),
    });
    now += 25 * 3_600_000;
    expect(await ask(source, 'search', { q: 'bank' })).toMatchObject({
      ok: false,
      message: expect.stringContaining("can't be reached"),
    });
  });
});
