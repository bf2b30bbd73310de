/** What an operator sees of long work on a terminal, a real one: the bar, messages beside it, and what is left of it. */
import { expect, test } from 'bun:test';
import { layout } from '../../src/publication/layout.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { company, publish } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runOnTerminal, type Shown } from '../support/terminal.ts';

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';

function givesCursorBack({ written }: Shown): boolean {
  return written.includes(hideCursor) && written.lastIndexOf(showCursor) > written.lastIndexOf(hideCursor);
}

/** Files that a load has something to say of. */
const deltas = () =>
  publish(temporaryFolder('terminal'), {
    at: '2024-05-04T00:00:00Z',
    since: '2024-05-03T00:00:00Z',
    companies: [company(1), company(2)],
    relationships: { kept: [] },
  });

test('a bar says how far a load is; every message and the result are there when it has gone', async () => {
  const dataDir = temporaryFolder('terminal');
  const shown = await runOnTerminal({ LEI_DATA_DIR: dataDir }, ['load', ...deltas()]);
  expect(shown.code).toBe(0);
  expect(shown.written).toMatch(/=+-+ +\d+ % reading level-1, 0\.0 of 0\.0 MB, 2 rows, [\d,]+ rows\/s/);
  const [id] = sealedIds(layout(dataDir));
  expect(shown.screen).toEqual([
    expect.stringMatching(/^Warning: .*-lei2\.xml says it is a delta but is loaded as a full set/),
    expect.stringMatching(/^Warning: .*-rr\.xml says it is a delta but is loaded as a full set/),
    `Publication ${id} is active: 2 companies, 0 relationships, 0 bad rows.`,
  ]);
  expect(givesCursorBack(shown)).toBe(true);
}, 20_000);

test('Ctrl-C ends a load with a word of it, and gives the cursor back', async () => {
  const dataDir = temporaryFolder('terminal');
  let pressed = false;
  const shown = await runOnTerminal({ LEI_DATA_DIR: dataDir }, ['load', ...deltas()], (written, terminal) => {
    if (pressed || !written.includes(hideCursor)) return;
    pressed = true;
    terminal.write('\u0003');
  });
  expect(shown.code).toBe(1);
  expect(shown.screen.at(-1)).toMatch(/^lei: .*interrupted/);
  expect(givesCursorBack(shown)).toBe(true);
  expect(sealedIds(layout(dataDir))).toEqual([]);
}, 20_000);
