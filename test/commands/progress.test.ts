/** Tests what an operator sees of long work on a real terminal: the bar, messages beside it, and what is left of it. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { company, publish } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { loadHere } from '../support/load-here.ts';
import { runOnTerminal, type Shown } from '../support/terminal.ts';

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';

function givesCursorBack({ written }: Shown): boolean {
  return written.includes(hideCursor) && written.lastIndexOf(showCursor) > written.lastIndexOf(hideCursor);
}

/** Files that cause messages during a load. */
const deltas = (companies = 2) =>
  publish(temporaryFolder('terminal'), {
    at: '2024-05-04T00:00:00Z',
    since: '2024-05-03T00:00:00Z',
    companies: Array.from({ length: companies }, (_, index) => company(index + 1)),
    relationships: { kept: [] },
  });

test('a progress bar leaves every message and the result on the screen when it is gone', async () => {
  const dataDir = temporaryFolder('terminal');
  const shown = await runOnTerminal({ LEI_DATA_DIR: dataDir }, ['load', ...deltas()]);
  expect(shown.code).toBe(0);
  expect(shown.written).toMatch(/=+-* +\d+ % 0\.0 of 0\.0 MB, 2 rows, [\d,]+ rows\/s, .*left, [a-z]/);
  const [id] = sealedIds(layout(dataDir));
  expect(shown.screen).toEqual([
    expect.stringMatching(/^Warning: .*-lei2\.xml says it is a delta but is loaded as a full set/),
    expect.stringMatching(/^Warning: .*-rr\.xml says it is a delta but is loaded as a full set/),
    `Publication ${id} is active: 2 companies, 0 relationships, 0 bad rows.`,
  ]);
  expect(givesCursorBack(shown)).toBe(true);
});

test('an export and a publish show a bar on a terminal, and leave only their result', async () => {
  const dataDir = temporaryFolder('terminal');
  const [store, out] = [temporaryFolder('store'), join(temporaryFolder('export'), 'companies.ndjson')];
  await loadHere(dataDir, deltas());
  for (const [args, result] of [
    [['export', '--out', out], `2 companies of`],
    [['publish', '--to', `file://${store}`], `is at file://${store}`],
  ] as const) {
    const shown = await runOnTerminal({ LEI_DATA_DIR: dataDir }, args);
    expect(shown.code).toBe(0);
    expect(shown.written).toMatch(/[=-]{10,} +\d+ % /);
    expect(shown.screen[0]).toContain(result);
    expect(givesCursorBack(shown)).toBe(true);
  }
});

/** The bars that were drawn while rows were read, as far as a terminal of the given width shows them. */
async function barsOver(columns: number): Promise<readonly string[]> {
  const settings = { LEI_DATA_DIR: temporaryFolder('terminal') };
  const { written } = await runOnTerminal(settings, ['load', ...deltas(300)], { columns });
  // A bar is drawn between "to the first column" and "erase the rest".
  const drawn = [...written.matchAll(/\u001b\[1G([=-][^\u001b]*)\u001b\[0K/g)].map(([, bar = '']) => bar);
  return drawn.map((bar) => bar.slice(0, columns)).filter((bar) => bar.includes('rows'));
}

test('a bar shows bytes, rows, rate and time left on 80 columns, and widens with the terminal', async () => {
  const narrow = await barsOver(80);
  expect(narrow.length).toBeGreaterThan(0);
  for (const bar of narrow) expect(bar).toMatch(/\d % [\d.]+ of [\d.]+ MB, [\d,]+ rows, [\d,]+ rows\/s, /);
  expect(narrow.at(-1)).toMatch(/ rows\/s, \d+:\d\d left/);
  const wide = await barsOver(160);
  expect(wide.length).toBeGreaterThan(0);
  for (const bar of wide) expect(bar).toMatch(/^[=-]{40} .* rows\/s, (?:\d+:\d\d left, )?[a-z]/);
});

test('Ctrl-C ends a load with a message, and restores the cursor', async () => {
  const dataDir = temporaryFolder('terminal');
  let pressed = false;
  const hear = (written: string, terminal: Bun.Terminal) => {
    if (pressed || !written.includes(hideCursor)) return;
    pressed = true;
    terminal.write('\u0003');
  };
  // Enough companies that the load still runs when the key press arrives, even if this process is a second late.
  const shown = await runOnTerminal({ LEI_DATA_DIR: dataDir }, ['load', ...deltas(20_000)], { hear });
  expect(shown.code).toBe(1);
  expect(shown.screen.at(-1)).toMatch(/^lei: .*interrupted/);
  expect(givesCursorBack(shown)).toBe(true);
  expect(sealedIds(layout(dataDir))).toEqual([]);
});
