import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freeMemory } from '../../src/protocol/json-bytes.ts';

const module = join(import.meta.dir, '..', '..', 'src', 'protocol', 'json-bytes.ts');

/** Runs in its own process: memory freed by another test would hide the effect. */
async function compilationsAfterFreeing(expected: boolean): Promise<number> {
  const script = `
    import { numberOfDFGCompiles } from 'bun:jsc';
    import { expectFreeing, freeMemory } from ${JSON.stringify(module)};
    ${expected ? 'expectFreeing();' : ''}
    const bytes = new Uint8Array(4096).fill(1);
    function sum(values) {
      let total = 0;
      for (let at = 0; at < values.length; at++) total += values[at];
      return total;
    }
    function warmUntilCompiled(times) {
      for (let round = 0; round < 200_000 && numberOfDFGCompiles(sum) < times; round++) sum(bytes);
    }
    warmUntilCompiled(1);
    const before = numberOfDFGCompiles(sum);
    freeMemory(new Uint8Array(8));
    for (let round = 0; round < 5_000; round++) sum(bytes);
    warmUntilCompiled(${expected ? 1 : 2});
    console.log(before, numberOfDFGCompiles(sum));
  `;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  const [before = 0, after = 0] = (await new Response(child.stdout).text()).split(' ').map(Number);
  expect(before).toBe(1);
  return after - before;
}

test('freed bytes are zero', () => {
  const bytes = new Uint8Array(8);
  freeMemory(bytes);
  expect(bytes).toHaveLength(0);
});

test('a thread that expects to free memory keeps its compiled code the first time; others compile it again', async () => {
  expect(await compilationsAfterFreeing(true)).toBe(0);
  expect(await compilationsAfterFreeing(false)).toBe(1);
});
