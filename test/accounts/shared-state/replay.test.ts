/**
 * Tests ten minutes of requests over three processes that share one store, without real waiting: each demand has its
 * own time.
 */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { burstMs } from '../../../src/ports/ledger.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { startRedis } from '../../support/redis.ts';

const limit = 300;
const noon = Date.UTC(2026, 10, 21, 12);
const seconds = 600;
/** The time between two seconds in which every node is asked ten times: more than the limit allows. */
const step = 3;

async function startNode(url: string, name: string) {
  let hear: (admitted: readonly number[]) => void = () => {};
  const said = () => new Promise<readonly number[]>((resolve) => (hear = resolve));
  const begun = said();
  const script = join(import.meta.dir, '../../support/replaying-node.ts');
  const running = Bun.spawn([process.execPath, script, url, name, temporaryFolder(name)], {
    ipc: (admitted: readonly number[]) => hear(admitted),
  });
  await begun;
  return {
    ask(at: number) {
      const answer = said();
      running.send(at);
      return answer;
    },
    async end() {
      running.kill('SIGKILL');
      await running.exited;
    },
  };
}

describe.if(isInstalled('redis-server'))(titled('a replay of ten minutes', 'redis-server'), () => {
  test('admits 300 in every sliding minute of three processes together, and no more', async () => {
    const redis = await startRedis();
    const nodes = await Promise.all(['one', 'two', 'three'].map((name) => startNode(redis.url, name)));
    const admitted: number[] = [];
    for (let second = 0; second < seconds; second += step) {
      const at = noon + second * 1_000;
      for (const moments of await Promise.all(nodes.map(({ ask }) => ask(at)))) admitted.push(...moments);
    }
    admitted.sort((one, other) => one - other);
    let first = 0;
    let busiest = 0;
    for (const [last, at] of admitted.entries()) {
      while ((admitted[first] ?? at) <= at - burstMs) first++;
      busiest = Math.max(busiest, last - first + 1);
    }
    expect(busiest).toBe(limit);
    expect(admitted).toHaveLength((limit * seconds) / 60);
    for (const { end } of nodes) await end();
    await redis.stop();
  });
});
