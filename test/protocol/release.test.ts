import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { release } from '../../src/protocol/release.ts';

const releaseModule = join(import.meta.dir, '..', '..', 'src', 'protocol', 'release.ts');

/** In a process of its own: what another test released would hide what is looked for. */
async function compilationsAfterARelease(expected: boolean): Promise<number> {
  const script = `
    import { numberOfDFGCompiles } from 'bun:jsc';
    import { expectReleases, release } from ${JSON.stringify(releaseModule)};
    ${expected ? 'expectReleases();' : ''}
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
    release(new Uint8Array(8));
    for (let round = 0; round < 5_000; round++) sum(bytes);
    warmUntilCompiled(${expected ? 1 : 2});
    console.log(before, numberOfDFGCompiles(sum));
  `;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  const [before = 0, after = 0] = (await new Response(child.stdout).text()).split(' ').map(Number);
  expect(before).toBe(1);
  return after - before;
}

test('released bytes are empty', () => {
  const bytes = new Uint8Array(8);
  release(bytes);
  expect(bytes).toHaveLength(0);
});

test('a thread that expects releases keeps its compiled code when the first comes, others throw it away', async () => {
  expect(await compilationsAfterARelease(true)).toBe(0);
  expect(await compilationsAfterARelease(false)).toBe(1);
});
