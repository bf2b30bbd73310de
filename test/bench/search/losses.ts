/**
 * Asks fifteen kinds of questions as they are typed, and prints for each question that misses its company what was found
 * instead, so that losses are read and not guessed. Questions of one half of the real names are for tuning.
 *
 *     bun test/bench/search/losses.ts [--companies 100000] [--questions 120] [--half tuning] [--rounds 5]
 *         [--beside CHECKOUT]   another checkout of the service, asked in turn
 *         [--names FILE.tsv]    other real names than the sample's, all of them for questions: LEI or nothing, name, country
 *         [--pairs FILE.tsv]    also names as others wrote them: name, country, city, number, LEI
 *         [--shown 50]          how many lost questions are printed
 *         [--report FILE.md]    where the tables go
 *         [--no-lucene]         leaves Lucene out, which takes the most time
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { positive } from '../harness/arguments.ts';
import { describeMachine } from '../harness/machine.ts';
import { percentiles } from '../harness/open-loop.ts';
import { figure, Report } from '../harness/report.ts';
import { chanceAmong, type Origin, ofKind, originsOf } from './best-possible.ts';
import { type Contender, ourIndex } from './contenders.ts';
import { luceneIndex } from './lucene.ts';
import { build, relevanceOf } from './measure.ts';
import { neutralWorld } from './neutral-world.ts';
import { halfOf } from './questions.ts';
import { readNames, readRealCompanies } from './real-names.ts';
import { isNameOfOthers, makeTypedQuestions, namesOfAll, type TypedQuestion } from './typed-questions.ts';

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '120' },
    rounds: { type: 'string', default: '5' },
    half: { type: 'string', default: 'tuning' },
    beside: { type: 'string' },
    names: { type: 'string' },
    pairs: { type: 'string' },
    shown: { type: 'string', default: '50' },
    report: { type: 'string' },
    lucene: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const [companies, perKind, rounds] = [
  positive('companies', values.companies),
  positive('questions', values.questions),
  positive('rounds', values.rounds),
];

interface Asked extends Omit<TypedQuestion, 'kind'> {
  readonly kind: string;
}

/** What a contender answered: the rank of the right company (0: missed), the first entity, and the shortest time. */
interface Answered {
  readonly rank: number;
  readonly first: number | undefined;
  ms: number;
}

/** Names as others wrote them, of companies among the real ones. */
function pairsIn(file: string, real: readonly LinkedCompany[]): Asked[] {
  const numbers = new Map(real.map(({ lei }, at) => [lei, at + 1]));
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [q = '', , , , lei = ''] = line.split('\t');
    const entity = numbers.get(lei);
    const name = real[(entity ?? 0) - 1]?.names[0]?.name ?? '';
    return entity === undefined || q.length < 2 ? [] : [{ kind: 'pairs', q, name, right: new Set([entity]) }];
  });
}

function ask(contender: Contender, { q, right }: Asked): Answered {
  const start = performance.now();
  const answer = contender.answer(q);
  const ms = performance.now() - start;
  return { rank: answer.findIndex((entity) => right.has(entity)) + 1, first: answer[0], ms };
}

/**
 * The contenders take turns question by question; the shortest of the rounds counts. Those in another process are asked
 * once.
 */
function askAll(contenders: readonly Contender[], asked: readonly Asked[]): Answered[][] {
  const answers = contenders.map((contender) => asked.map((question) => ask(contender, question)));
  const repeated = [...contenders.entries()].filter(([, { name }]) => name !== 'Lucene');
  for (let round = 1; round < rounds; round++) {
    for (const [at, question] of asked.entries()) {
      for (const [index, contender] of round % 2 === 0 ? repeated : repeated.toReversed()) {
        const known = answers[index]?.[at];
        if (known !== undefined) known.ms = Math.min(known.ms, ask(contender, question).ms);
      }
    }
  }
  return answers;
}

/** Hit@1 and hit@5. */
function hits(answers: readonly Answered[]): string {
  const { hitAt1, hitAt5 } = relevanceOf(answers);
  return `${hitAt1.toFixed(3)} / ${hitAt5.toFixed(3)}`;
}

interface BuildCost {
  readonly bytes: number;
  readonly cpuSeconds: number;
}

async function buildAll(contenders: readonly Contender[]): Promise<BuildCost[]> {
  const costs: BuildCost[] = [];
  for (const contender of contenders) {
    const cpu = process.cpuUsage();
    const { bytes } = await build(contender, world);
    const { user, system } = process.cpuUsage(cpu);
    costs.push({ bytes, cpuSeconds: (user + system) / 1e6 });
  }
  return costs;
}

function tellReach(report: Report, contenders: readonly Contender[], answers: readonly Answered[][]): void {
  const row = (title: string, isOfRow: (asked: Asked) => boolean) => {
    const places = questions.flatMap((asked, at) => (isOfRow(asked) ? [at] : []));
    const cells = answers.map((one) => hits(places.flatMap((at) => one[at] ?? [])));
    const best = title === 'pairs' ? ['–', '–'] : [byChance(places, (all) => all), byChance(places, ofKind)];
    return [title, String(places.length), ...cells, ...best];
  };
  const origins = originsOf(questions, world);
  const byChance = (
    places: readonly number[],
    known: (all: readonly Origin[], asked: Asked) => readonly Origin[],
  ) => {
    const mean = (first: number) =>
      places.reduce((sum, at) => {
        const [question, all] = [questions[at], origins[at]];
        return question === undefined || all === undefined
          ? sum
          : sum + chanceAmong(first, known(all, question), question);
      }, 0) / places.length;
    return `${mean(1).toFixed(3)} / ${mean(5).toFixed(3)}`;
  };
  const kinds = [...new Set(questions.map(({ kind }) => kind))];
  report.heading('Reach');
  report.text(
    'Hit@1 / hit@5. “All” is without the pairs, which are names as others wrote them. “Best possible” is for an engine that ' +
      'has every company whose name may have become the question, and knows how likely each kind of change makes it so: ' +
      'which of them is meant is chance. “Of a known kind” is the same for an engine that is told the kind of each question. ' +
      '“No name of others” leaves out the questions without a legal form that are the whole name of another company, forms ' +
      'aside, which comes first (decision 072): “Gulf Bank”, made of Gulf Commercial Bank, is Gulf Bank KSCP.',
  );
  report.table(
    ['Kind', 'Questions', ...contenders.map(({ name }) => name), 'Best possible', 'Of a known kind'],
    [
      ...kinds.map((one) => row(one, ({ kind }) => kind === one)),
      row('**all**', ({ kind }) => kind !== 'pairs'),
      row('**no name of others**', (asked) => asked.kind !== 'pairs' && !isNameOfOthers(asked, all)),
    ],
  );
}

function tellCost(
  report: Report,
  contenders: readonly Contender[],
  answers: readonly Answered[][],
  costs: readonly BuildCost[],
): void {
  report.heading('Cost');
  report.text(
    `Each question counts with the shortest of ${rounds} rounds; Lucene is asked once, and its times contain the way ` +
      'through two pipes. The processor time of a build is that of this process.',
  );
  const rows = contenders.map(({ name }, index) => {
    const ms = Float64Array.from(answers[index] ?? [], (answer) => answer.ms);
    const mean = ms.reduce((sum, one) => sum + one, 0) / ms.length;
    const { p50, p99 } = percentiles(ms);
    const { bytes = Number.NaN, cpuSeconds = Number.NaN } = costs[index] ?? {};
    const own = [bytes / 1e6, name === 'Lucene' ? Number.NaN : cpuSeconds];
    return [name, ...own.map(figure), ...[p50, mean, p99].map((time) => (time ?? Number.NaN).toFixed(3))];
  });
  report.table(['', 'MB', 'Build s', 'p50 ms', 'Mean ms', 'p99 ms'], rows);
}

/** Prints questions that some contender does not answer best. */
function printLosses(contenders: readonly Contender[], answers: readonly Answered[][]): void {
  const named = (entity: number | undefined) => {
    const found = world[(entity ?? 0) - 1];
    if (found === undefined) return 'nothing';
    const names = found.names.slice(0, 3).map(({ name }) => name);
    return `${names.join(' = ')} (${found.registrationStatus})`;
  };
  let shown = 0;
  for (const [at, { kind, q, right }] of questions.entries()) {
    const ranks = answers.map((one) => one[at]?.rank ?? 0);
    if (ranks.every((rank) => rank === 1) || shown++ >= Number(values.shown)) continue;
    const [entity] = right;
    console.log(`${kind}: ${q}\n    wanted ${named(entity)}`);
    for (const [index, one] of answers.entries()) {
      const { rank, first } = one[at] ?? { rank: 0, first: undefined };
      if (rank !== 1) console.log(`    ${contenders[index]?.name} has it at ${rank}, first ${named(first)}`);
    }
  }
}

const real = values.names === undefined ? await readRealCompanies() : readNames(values.names);
const world = [...neutralWorld(real, companies, 1)];
const all = namesOfAll(world);
const wanted = values.half === 'tuning' ? 'tuning' : 'reporting';
const isAsked = ({ lei }: LinkedCompany) => values.names !== undefined || halfOf(lei) === wanted;
const asked = real.flatMap((company, at) => (isAsked(company) ? (world[at] ?? []) : []));
const questions: Asked[] = [
  ...makeTypedQuestions(asked, all, perKind, values.half === 'tuning' ? 31 : 32),
  ...(values.pairs === undefined ? [] : pairsIn(values.pairs, real)),
];

const folder = mkdtempSync(join(tmpdir(), 'search-losses-'));
try {
  const contenders: Contender[] = [ourIndex(join(folder, 'own'))];
  if (values.beside !== undefined) {
    const other = await import(resolve(values.beside, 'test/bench/search/contenders.ts'));
    contenders.push({ ...other.ourIndex(join(folder, 'other')), name: 'beside' });
  }
  const lucene = values.lucene ? luceneIndex(join(folder, 'lucene')) : null;
  if (lucene !== null) contenders.push(lucene);
  const machine = describeMachine();
  const costs = await buildAll(contenders);
  const answers = askAll(contenders, questions);
  const file = values.report ?? 'typed-report.md';
  const report = new Report(dirname(file), basename(file, '.md'), 'Search: names as they are typed');
  report.text(
    `Made by \`bun test/bench/search/losses.ts --companies ${companies} --questions ${perKind} --rounds ${rounds} ` +
      `${values.names === undefined ? `--half ${values.half}` : '--names FILE.tsv'}${values.beside === undefined ? '' : ' --beside CHECKOUT'}` +
      `${values.pairs === undefined ? '' : ' --pairs FILE.tsv'}\`.`,
  );
  report.table(['Machine', ''], machine.rows);
  if (lucene === null)
    report.text('Lucene is not run: it needs java, javac and liblucene8-java, and takes minutes.');
  report.text(
    `The data has ${real.length.toLocaleString('en')} real companies of ${values.names === undefined ? 'data/sample' : 'that file'} among ` +
      `${(world.length - real.length).toLocaleString('en')} synthetic ones, half of a sister for each real one included: ` +
      'its name with one word or the legal form exchanged. LEIs, statuses and children are dealt at random, with the ' +
      'shares of GLEIF’s data, so ties favour none. ' +
      (values.names === undefined
        ? 'One half of the real names makes the questions; weights were chosen with the other half.'
        : 'The real names make the questions; nothing was chosen with them.') +
      ' A question of legal forms alone is about no company and left out.',
  );
  tellReach(report, contenders, answers);
  tellCost(report, contenders, answers, costs);
  if (values.report !== undefined) report.save();
  printLosses(contenders, answers);
  for (const contender of contenders) await contender.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
