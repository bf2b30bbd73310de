/** Runs axe-core on a page. */
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Everything that axe finds, as `rule: element`. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await addAxe(page);
  // What passes is not described: that takes more time than to look.
  const violations = await page.evaluate<AxeResults['violations']>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Through the protocol: `page.evaluate` compiles the whole script anew on each page, for a second of processor time. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  await session.detach();
}
