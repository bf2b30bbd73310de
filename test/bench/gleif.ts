/**
 * Measures the processor time of a record through GLEIF's API and of the look-up of the same company, in turn, through one
 * service (needs wrk). `bun test/bench/gleif.ts [--rounds 10] [--seconds 2]`
 */

import { serve } from '../support/serve.ts';
import { wholeNumbers } from './harness/arguments.ts';
import { prepareSample } from './harness/data.ts';
import { median } from './harness/median.ts';
import { measure } from './harness/paired-cost.ts';

const option = wholeNumbers({ rounds: 10, seconds: 2, connections: 32 });
/** One without relations here, one with parents, children and identifiers. */
const leis = ['213800E5Z6QRDSMZMK84', '7LTWFZYICNSX8D621K86'];

const served = await serve((await prepareSample()).dataDir);
try {
  for (const lei of leis) {
    const paths = [`/api/v1/lei/${lei}`, `/gleif/api/v1/lei-records/${lei}`];
    const costs: number[][] = [[], []];
    for (const path of paths) await measure(served, path, option('connections'), option('seconds'));
    for (let round = 0; round < option('rounds'); round++) {
      // The order changes from round to round, so that a slowing machine favours neither.
      for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const { whole } = await measure(served, paths[which] ?? '', option('connections'), option('seconds'));
        costs[which]?.push(whole);
      }
    }
    const [lookUps = [], records = []] = costs;
    const ratios = records.map((record, round) => record / (lookUps[round] ?? Number.NaN));
    console.log(
      `${lei}: look-up ${median(lookUps).toFixed(1)} µs, record ${median(records).toFixed(1)} µs; ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
    );
  }
} finally {
  served.kill('SIGTERM');
  await served.exited;
}
