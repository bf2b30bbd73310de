import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { runAttack } from './attack.ts';
import { attacksIn } from './run.ts';

async function run(...args: readonly string[]) {
  const running = Bun.spawn([process.execPath, join(import.meta.dir, 'run.ts'), ...args], { stderr: 'pipe' });
  const messages = await new Response(running.stderr).text();
  return { code: await running.exited, messages };
}

test('an unknown attack is a usage error whose message lists the attacks', async () => {
  const { code, messages } = await run('--only', 'nothing-of-the-kind');
  expect(code).toBe(2);
  for (const { name } of await attacksIn(import.meta.dir)) expect(messages).toContain(name);
});

test('a number of rounds that is not a number is a usage error', async () => {
  expect((await run('--rounds', 'many')).messages).toContain('--rounds must be a whole number');
});

test('all attacks have different names', async () => {
  const names = (await attacksIn(import.meta.dir)).map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('an attack that tried nothing or could not run does not count as withstood', async () => {
  const nothing = { name: 'nothing', run: async () => ({ tried: 0, wrong: [] }) };
  const broken = { name: 'broken', run: () => Promise.reject(new Error('no service')) };
  const held = { name: 'held', run: async () => ({ tried: 1, wrong: [] }) };
  expect([
    await runAttack(nothing, 1, 1),
    await runAttack(broken, 1, 1),
    await runAttack(held, 1, 1),
  ]).toEqual([false, false, true]);
});
