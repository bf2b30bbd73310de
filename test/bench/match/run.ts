/**
 * How right the verdicts of a match are: names of generated companies, broken in the ways people break them, a third of
 * them of companies that are not in the publication; beside the first hit of a search.
 *
 *     bun test/bench/match/run.ts [--companies 100000] [--questions 3000] [--report FILE.md]
 */
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { matchLimits } from '../../../src/query/matching/limits.ts';
import { positive } from '../harness/arguments.ts';
import { describeMachine } from '../harness/machine.ts';
import { Report } from '../harness/report.ts';
import { answerAll, type Judged, judge, judgeFirstHits } from './judge.ts';
import { makeQuestions, ways } from './questions.ts';
import { namedCompanies, openLoaded } from './worlds.ts';

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '3000' },
    report: { type: 'string', default: 'report.md' },
  },
});
const [companies, questions] = [
  positive('companies', values.companies),
  positive('questions', values.questions),
];

/** Seeds of the halves of the questions: weights and thresholds were chosen on the first. */
const halves = { fit: 11, judged: 12 } as const;

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function rowOf(
  title: string,
  { questions: count, matched, rightOfMatched, found }: Judged,
): readonly string[] {
  return [title, String(count), String(matched), percent(rightOfMatched), percent(found)];
}

const loaded = await openLoaded(companies, 1);
const aside = await openLoaded(Math.ceil(companies / 5), 2);
const worlds = { loaded: namedCompanies(loaded), aside: namedCompanies(aside) };
const report = new Report(
  dirname(values.report),
  basename(values.report, '.md'),
  'Match: how right the verdicts are',
);
report.text(`Made by \`bun test/bench/match/run.ts --companies ${companies} --questions ${questions}\`.`);
report.table(['Machine', ''], describeMachine().rows);
report.text(
  `${companies.toLocaleString('en')} generated companies; ${questions.toLocaleString('en')} questions in each half, a third ` +
    'of them about companies of the same generator that are not loaded. Half of the questions give the country. A question ' +
    'that is, as it stands or unbroken, the name of another company of that country and legal form is left out, since ' +
    'nothing in it tells the two apart. ' +
    `Score from ${matchLimits.matchScoreMin} on and ${matchLimits.leadMin} ahead of the next is a match; both, and the weights, ` +
    'come from the first half.',
);
const rows: (readonly string[])[] = [];
for (const [half, seed] of Object.entries(halves)) {
  const answered = answerAll(loaded, makeQuestions(worlds, questions, seed));
  rows.push(rowOf(`match, ${half} half`, judge(answered)));
  for (const given of [true, false]) {
    const some = answered.filter(({ asked }) => (asked.question.country !== null) === given);
    rows.push(rowOf(`match, ${half} half, ${given ? 'with' : 'without'} country`, judge(some)));
  }
  rows.push(rowOf(`first hit, ${half} half`, judgeFirstHits(loaded, answered)));
  if (half !== 'judged') continue;
  for (const way of ways) {
    rows.push(
      rowOf(`match, judged half: ${way}`, judge(answered.filter(({ asked }) => asked.ways.includes(way)))),
    );
  }
}
report.table(['', 'Questions', 'Matched', 'Of them right, %', 'Found of those there, %'], rows);
report.save();
await loaded.close();
await aside.close();
