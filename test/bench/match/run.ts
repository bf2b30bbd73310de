/**
 * Measures the accuracy of the verdicts of a match, beside the first hit of a search: on misspelt names of generated
 * companies, a third of which are not in the publication.
 *
 *     bun test/bench/match/run.ts [--companies 100000] [--questions 3000] [--seeds 16,17,18] [--report FILE.md]
 *
 * `--seeds` are for the questions, `--companies-seed` is for the companies.
 */
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { matchLimits } from '../../../src/query/matching/limits.ts';
import { positive } from '../harness/arguments.ts';
import { describeMachine } from '../harness/machine.ts';
import { Report } from '../harness/report.ts';
import { type Answered, answerAll, type Judged, judge, judgeFirstHits } from './judge.ts';
import { makeQuestions, ways } from './questions.ts';
import { fitSeeds, openWorlds } from './worlds.ts';

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '3000' },
    seeds: { type: 'string', default: '16,17,18' },
    'companies-seed': { type: 'string', default: '1' },
    report: { type: 'string', default: 'report.md' },
  },
});
const option = (name: 'companies' | 'questions' | 'companies-seed') => positive(name, values[name]);
const [companies, questions] = [option('companies'), option('questions')];
const seeds = values.seeds.split(',').map((seed) => positive('seeds', seed));

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function rowOf(
  title: string,
  { questions: count, matched, rightOfMatched, found }: Judged,
): readonly string[] {
  return [title, String(count), String(matched), percent(rightOfMatched), percent(found)];
}

const worlds = await openWorlds(companies, option('companies-seed'));
const report = new Report(
  dirname(values.report),
  basename(values.report, '.md'),
  'Match: how right the verdicts are',
);
report.text(
  `Made by \`bun test/bench/match/run.ts --companies ${companies} --questions ${questions} --seeds ${values.seeds} ` +
    `--companies-seed ${values['companies-seed']}\`.`,
);
report.table(['Machine', ''], describeMachine().rows);
report.text(
  `The bench loads ${companies.toLocaleString('en')} generated companies and asks ${questions.toLocaleString('en')} questions ` +
    'of each seed. A third of the questions are about companies of the same generator that are not loaded, and half of them ' +
    'give the country. A question is left out if it, or the name that it was made from, is the name of another company of ' +
    'that country and legal form, because nothing in it tells the two apart. ' +
    `A match has a score of at least ${matchLimits.matchScoreMin}. This threshold and the weights come from questions of ` +
    `the seeds ${fitSeeds.join(', ')}, of real companies, and from pairs of public lists (test/bench/match/fit.ts); none ` +
    'of the questions is asked here.',
);
const rows: (readonly string[])[] = [];
const asked: Answered[] = [];
for (const seed of seeds) {
  const answered = answerAll(worlds.publication, makeQuestions(worlds, questions, seed));
  asked.push(...answered);
  rows.push(rowOf(`match, seed ${seed}`, judge(answered)), ...byCountry(`match, seed ${seed}`, answered));
  rows.push(rowOf(`first hit, seed ${seed}`, judgeFirstHits(worlds.publication, answered)));
}
rows.push(rowOf('match, all seeds', judge(asked)), ...byCountry('match, all seeds', asked));
for (const way of ways) {
  const broken = asked.filter((each) => each.asked.ways.includes(way));
  rows.push(rowOf(`match, all seeds: ${way}`, judge(broken)));
}
report.table(['', 'Questions', 'Matched', 'Of them right, %', 'Found of those there, %'], rows);
report.save();
await worlds.close();

function byCountry(title: string, answered: readonly Answered[]) {
  return [true, false].map((given) => {
    const some = answered.filter((each) => (each.asked.question.country !== null) === given);
    return rowOf(`${title}, ${given ? 'with' : 'without'} country`, judge(some));
  });
}
