/**
 * Walks by cursor through all companies of a publication while other publications become active, and says whether a company
 * came twice or was missing.
 *
 *     bun test/bench/walk.ts --data FOLDER --pages list      (/ext/v1/list by 100, or `gleif`: GLEIF's API by 200)
 *
 * The folder has two publications or more. The walk begins in the oldest one; the others become active one after the other
 * at even distances, each by `lei activate`. Afterwards the last one is active.
 */
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/errors.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { leiJson } from '../support/lei-here.ts';
import { serve } from '../support/serve.ts';

const walks = {
  list: { first: '/ext/v1/list?limit=100', version: /"datasetVersion":"([^"]+)"/ },
  gleif: {
    first: '/gleif/api/v1/lei-records?page[cursor]=*&page[size]=200',
    version: /"publishDate":"([^"]+)"/,
  },
} as const;

function settings() {
  try {
    const { values } = parseArgs({
      options: { data: { type: 'string' }, pages: { type: 'string', default: 'list' } },
    });
    const { data, pages } = values;
    if (data === undefined) throw new Error('--data must name a data folder.');
    if (pages !== 'list' && pages !== 'gleif') throw new Error('--pages must be list or gleif.');
    return { data, pages } as const;
  } catch (error) {
    console.error(reasonOf(error));
    process.exit(2);
  }
}

interface WalkPage {
  readonly leis: readonly string[];
  readonly total: number;
  readonly version: string;
  /** The path of the next page; null on the last one. */
  readonly next: string | null;
}

function readPage(pages: keyof typeof walks, body: string): WalkPage {
  const { first, version } = walks[pages];
  const [, total = '0'] = /"total":(\d+)/.exec(body) ?? [];
  const ofItems = pages === 'list' ? /"lei":"(\w{20})"/g : /"id":"(\w{20})","attributes"/g;
  const leis = Array.from(body.matchAll(ofItems), ([, lei = '']) => lei);
  const [, cursor] = /"next":"([^"]+)"/.exec(body.slice(pages === 'list' ? -1_000 : 0)) ?? [];
  const ofCursor = (value: string) => `${first}&cursor=${encodeURIComponent(value)}`;
  const ofAddress = (address: string) => address.slice(address.indexOf('/gleif/'));
  const next = cursor === undefined ? null : pages === 'list' ? ofCursor(cursor) : ofAddress(cursor);
  return { leis, total: Number(total), version: version.exec(body)?.[1] ?? '', next };
}

const { data, pages } = settings();
const { publications } = layout(data);
const ids = [...new Bun.Glob('*').scanSync({ cwd: publications, onlyFiles: false })].sort();
const [oldest = ''] = ids;
if (readPointer(layout(data))?.id !== oldest) await leiJson(data, 'activate', oldest);
const served = await serve(data, { LEI_KEEP_PUBLICATIONS: String(ids.length) });
try {
  const seen = new Set<string>();
  const versions = new Set<string>();
  let [came, total, activated, pagesRead] = [0, 0, 0, 0];
  const begun = performance.now();
  let next: string | null = walks[pages].first;
  let activation: Promise<unknown> = Promise.resolve();
  while (next !== null) {
    const response = await served.get(next);
    const page = readPage(pages, await response.text());
    if (!response.ok) throw new Error(`${next} was answered with ${response.status}.`);
    for (const lei of page.leis) seen.add(lei);
    came += page.leis.length;
    total = page.total;
    versions.add(page.version);
    pagesRead++;
    next = page.next;
    const due = ids[activated + 1];
    if (due !== undefined && came >= ((activated + 1) * total) / ids.length) {
      activated++;
      activation = activation.then(() => leiJson(data, 'activate', due));
    }
  }
  await activation;
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `${pagesRead} pages in ${seconds.toFixed(0)} s, ${activated} swaps: ${total} companies, ${came} came, ${came - seen.size} twice, ${total - seen.size} missing; versions: ${[...versions].join(', ')}; active afterwards: ${readPointer(layout(data))?.id}`,
  );
  if (came !== total || seen.size !== total || versions.size !== 1) process.exitCode = 1;
} finally {
  served.kill('SIGTERM');
  await served.exited;
}
