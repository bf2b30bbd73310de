/**
 * Measures the processor time of pages and of the API in this checkout and in another, in turn, over the bundled sample,
 * which each loads itself (needs wrk). Only the ratios are meaningful.
 * `bun test/bench/other-checkout.ts OTHER-CHECKOUT [--rounds 8] [--seconds 1] [--path /company/…]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { positive } from './harness/arguments.ts';
import { meanOf } from './harness/mean.ts';
import { median } from './harness/median.ts';
import { type Cost, measure } from './harness/paired-cost.ts';
import { type Server, startServer } from './harness/processes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '1' },
    path: { type: 'string', multiple: true },
  },
});
const [other] = positionals;
if (other === undefined) throw new Error('Name the checkout to compare with.');
const [rounds, seconds] = [positive('rounds', values.rounds), positive('seconds', values.seconds)];
/** Pages of a company alone, of one with many identifiers and of one with children; then a look-up, a search and a list. */
const paths = values.path ?? [
  '/company/213800E5Z6QRDSMZMK84',
  '/company/7LTWFZYICNSX8D621K86',
  '/company/529900K9B0N5BT694847',
  '/api/v1/lei/7LTWFZYICNSX8D621K86',
  '/api/v1/search?q=deutche+bank',
  '/api/v1/lei/529900K9B0N5BT694847/relationships',
];
/** Few enough for one query thread, so that the front never waits long. */
const connections = 8;

const folder = mkdtempSync(join(tmpdir(), 'lei-bench-other-checkout-'));
const checkouts = [other, join(import.meta.dir, '..', '..')];
const services: Server[] = [];
try {
  for (const [which, checkout] of checkouts.entries()) services.push(await start(checkout, `data-${which}`));
  for (const path of paths) await compare(path);
} finally {
  for (const service of services) await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

function start(checkout: string, dataDir: string): Promise<Server> {
  const command = ['sh', join(checkout, 'src/with-bun.sh'), join(checkout, 'src/cli.ts'), 'serve'];
  return startServer(checkout, command, {
    LEI_DATA_DIR: join(folder, dataDir),
    LEI_PORT: '0',
    LEI_FRONTS: '1',
    LEI_WORKERS: '1',
    LEI_LIMITS: 'off',
    LEI_LOG_LEVEL: 'warn',
  });
}

async function compare(path: string): Promise<void> {
  const costs: Cost[][] = services.map(() => []);
  for (const service of services) await measure(service, path, connections, 2 * seconds);
  for (let round = 0; round < rounds; round++) {
    // The order changes from round to round, so that a slowing machine favours neither.
    for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const service = services[which];
      if (service) costs[which]?.push(await measure(service, path, connections, seconds));
    }
  }
  const [before = [], now = []] = costs;
  const line = (name: string, of: (cost: Cost) => number) => {
    const ratios = now.map((cost, round) => of(cost) / of(before[round] ?? cost));
    const { mean, error } = meanOf(ratios);
    return `${name} ${median(before.map(of)).toFixed(0)} → ${median(now.map(of)).toFixed(0)} µs, ratio ${mean.toFixed(3)} ± ${error.toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`;
  };
  console.log(`${path}\n  ${line('front', ({ front }) => front)}\n  ${line('whole', ({ whole }) => whole)}`);
}
