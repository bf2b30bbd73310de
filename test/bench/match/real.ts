/**
 * The other half of the match bench: names as others wrote them. It asks for the pairs of a file (pairs.ts) among the
 * companies of a data folder, with the place that the list gives and without, and measures the time of a match.
 *
 *     bun test/bench/match/real.ts --real DATA-FOLDER --pairs FILE [--report FILE.md]
 */
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { matchCompany } from '../../../src/query/match.ts';
import { describeMachine } from '../harness/machine.ts';
import { figure, Report } from '../harness/report.ts';
import { answerAll, type Judged, judge } from './judge.ts';
import { type AskedPair, readPairs, withoutPlace, wordsStandInRecord } from './pairs.ts';
import { openReal } from './worlds.ts';

const { values } = parseArgs({
  options: {
    real: { type: 'string', default: '' },
    pairs: { type: 'string', default: '' },
    report: { type: 'string', default: 'real.md' },
  },
});

const publication = await openReal(values.real);
const pairs = readPairs(values.pairs, publication);
const absent = pairs.filter(({ meant }) => meant === null);
const standing = pairs.filter(wordsStandInRecord);

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function rowOf(title: string, asked: readonly AskedPair[]): readonly string[] {
  const { questions, matched, rightOfMatched, found }: Judged = judge(answerAll(publication, asked));
  const none = asked.every(({ meant }) => meant === null);
  return [
    title,
    String(questions),
    String(matched),
    none ? '' : percent(rightOfMatched),
    none ? '' : percent(found),
  ];
}

function groups(title: string, change: (pair: AskedPair) => AskedPair): (readonly string[])[] {
  return [
    rowOf(`${title}: words stand in the record`, standing.map(change)),
    rowOf(`${title}: the same and absent companies`, [...standing, ...absent].map(change)),
    rowOf(`${title}: absent companies`, absent.map(change)),
    rowOf(`${title}: all pairs`, pairs.map(change)),
  ];
}

const report = new Report(
  dirname(values.report),
  basename(values.report, '.md'),
  'Match: names as others wrote them',
);
report.text('Made by `bun test/bench/match/real.ts`.');
report.table(['Machine', ''], describeMachine().rows);
report.text(
  `${pairs.length} pairs of a name in a public list and the LEI that the same list states, or the statement that its ` +
    `company is not among the ${publication.lastEntity.toLocaleString('en')} loaded ones. The weights were fitted on these ` +
    'pairs among others; fit.ts judges them by folds of companies.',
);
const kinds = [...new Set(pairs.map(({ kind }) => kind))].sort();
report.table(
  ['', 'Questions', 'Matched', 'Of them right, %', 'Found of those there, %'],
  [
    ...groups('with country and city', (pair) => pair),
    ...groups('name only', withoutPlace),
    ...kinds.map((kind) =>
      rowOf(
        `with country and city: ${kind}`,
        pairs.filter((pair) => pair.kind === kind),
      ),
    ),
  ],
);
// Asked before, so the code is compiled and the pages are in memory.
const times = pairs.map(({ question }) => {
  const before = process.cpuUsage();
  matchCompany(publication, question);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
});
times.sort((a, b) => a - b);
const at = (share: number) => figure(times[Math.floor(share * (times.length - 1))] ?? 0);
report.text(`Processor time of a match: ${at(0.5)} ms at the median, ${at(0.99)} ms at the 99th percentile.`);
report.save();
await publication.close();
