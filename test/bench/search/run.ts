/**
 * Measures relevance and speed of search, beside SQLite's FTS5 and FlexSearch in memory, over the same names in one
 * run. Needs some 4 GB of disk in the system's temporary folder and 10 minutes at full size.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../../../src/errors.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { positive } from '../harness/arguments.ts';
import { describeMachine } from '../harness/machine.ts';
import { figure, Report, spread } from '../harness/report.ts';
import { type Contender, flexsearchInMemory, type OurIndex, ourIndex, sqliteIndex } from './contenders.ts';
import { askHardQuestions, type HardQuestion } from './hard-questions.ts';
import { synthesize } from './haystack.ts';
import {
  type Asked,
  build,
  type Measured,
  measureInTurn,
  type Relevance,
  relevanceOf,
  timesAsFast,
  typicalTimes,
} from './measure.ts';
import { type Half, makeQuestions, questionKinds } from './questions.ts';
import { readRealCompanies } from './real-names.ts';

const usage = `Usage: bun test/bench/search/run.ts [options]

  --companies <n>   in the haystack, the real ones included (default 3450000)
  --questions <n>   at most so many of each kind (default 100)
  --rounds <n>      in which the contenders take turns (default 5)
  --half <half>     of the real names, which the questions are made from: reporting or tuning (default reporting)
  --seed <n>        which synthetic companies (default 1)
  --report <file>   where the report goes (default: to standard output only)`;

/** The number of companies of the slower contenders; the real ones are always among them. */
const heldAtMost = { trigram: 200_000, flexsearch: 150_000 };

interface Settings {
  readonly companies: number;
  readonly perKind: number;
  readonly rounds: number;
  readonly half: Half;
  readonly seed: number;
  readonly report: string | null;
}

function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      companies: { type: 'string', default: '3450000' },
      questions: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '5' },
      half: { type: 'string', default: 'reporting' },
      seed: { type: 'string', default: '1' },
      report: { type: 'string' },
    },
  });
  const { half, report = null } = values;
  if (half !== 'reporting' && half !== 'tuning')
    throw new Error(`--half must be reporting or tuning, not ${JSON.stringify(half)}.`);
  if (report !== null && !report.endsWith('.md'))
    throw new Error(`--report must name a file that ends in .md, not ${JSON.stringify(report)}.`);
  return {
    companies: positive('companies', values.companies),
    perKind: positive('questions', values.questions),
    rounds: positive('rounds', values.rounds),
    seed: positive('seed', values.seed),
    half,
    report,
  };
}

function settingsOrRefuse(): Settings {
  try {
    return readSettings();
  } catch (error) {
    console.error(`${reasonOf(error)}\n\n${usage}`);
    process.exit(2);
  }
}

interface Results {
  /** Ours first, then FTS5 over as many companies, then those with fewer. */
  readonly measured: readonly [ours: Measured, rival: Measured, ...others: Measured[]];
  readonly opening: ReturnType<OurIndex['opening']>;
  readonly hard: readonly HardQuestion[];
}

/**
 * The contenders with all companies are asked in turn; the others afterwards, because memory full of names would slow
 * all down.
 */
async function measureAll(
  folder: string,
  companies: () => Iterable<LinkedCompany>,
  asked: Asked,
): Promise<Results> {
  const index = ourIndex(folder);
  const words = sqliteIndex(folder, 'unicode61 remove_diacritics 2');
  const built = [await build(index, companies()), await build(words, companies())];
  const [ours, rival] = measureInTurn(built, asked);
  if (ours === undefined || rival === undefined)
    throw new Error('Both were built, and so both were measured.');
  const hard = askHardQuestions(index.reader());
  const opening = index.opening();
  await index.close();
  await words.close();
  const others: Measured[] = [];
  const alone = async (contender: Contender, most: number) => {
    others.push(...measureInTurn([await build(contender, first(companies(), most))], asked));
    await contender.close();
  };
  await alone(sqliteIndex(folder, 'trigram'), heldAtMost.trigram);
  await alone(flexsearchInMemory(), heldAtMost.flexsearch);
  return { measured: [ours, rival, ...others], opening, hard };
}

function* first(companies: Iterable<LinkedCompany>, count: number): Generator<LinkedCompany> {
  let given = 0;
  for (const company of companies) {
    if (given++ >= count) return;
    yield company;
  }
}

function tellRelevance(report: Report, measured: readonly Measured[]): void {
  const row = (title: string, all: readonly Relevance[]) => [
    title,
    String(all[0]?.questions ?? 0),
    ...all.map(({ hitAt1, hitAt5, meanReciprocalRank }) =>
      [hitAt1, hitAt5, meanReciprocalRank].map((share) => share.toFixed(3)).join(' / '),
    ),
  ];
  const none = relevanceOf([]);
  const ofKinds = questionKinds.map((kind) =>
    row(
      kind,
      measured.map(({ byKind }) => byKind.get(kind) ?? none),
    ),
  );
  const ofAll = row(
    '**all**',
    measured.map(({ all }) => all),
  );
  report.heading('Relevance');
  report.text('Hit@1 / hit@5 / mean reciprocal rank.');
  report.table(
    ['Kind', 'Questions', ...measured.map(({ contender }) => contender.name)],
    [...ofKinds, ofAll],
  );
}

function tellSpeed(report: Report, { measured, opening }: Results): void {
  const [ours, rival] = measured;
  report.heading('Speed');
  report.text(
    `Figures are medians of ${ours.rounds.length} rounds. In each round this service and SQLite FTS5 with as many companies ` +
      'take turns for every kind of question. Contenders with fewer companies are asked afterwards.',
  );
  report.table(
    ['', 'Companies', 'Built in s', 'MB', 'p50 ms', 'Mean ms', 'p99 ms'],
    measured.map((one) => {
      const { p50, mean, p99 } = typicalTimes(one);
      const sizes = [one.buildSeconds, one.bytes / 1e6];
      return [
        one.contender.name,
        one.companies.toLocaleString('en'),
        ...[...sizes, p50, mean, p99].map(figure),
      ];
    }),
  );
  const ratio = (pick: Parameters<typeof timesAsFast>[2]) => spread(timesAsFast(ours, rival, pick));
  report.text(
    `Compared with ${rival.contender.name} within each round (lowest and highest in brackets), the service is ` +
      `${ratio(({ p50 }) => p50)} times as fast at the median, ${ratio(({ mean }) => mean)} times on average, ` +
      `${ratio(({ p99 }) => p99)} times at the 99th percentile.`,
    `In a process of its own, opening the index takes ${figure(opening.ms)} ms and ` +
      `${figure(opening.privateBytes / 1e6)} MB of private memory, ${figure(opening.privateBytesInUse / 1e6)} MB ` +
      'after a hundred questions, including machine code and the buffers of lmdb. ' +
      `On disk the index takes ${(ours.bytes / ours.companies).toFixed(0)} bytes a company, ` +
      'including names, identifiers, filters and everything needed for typing errors.',
  );
}

function tellHard(report: Report, hard: readonly HardQuestion[]): void {
  report.heading('Common words and deep pages');
  report.table(
    ['Question', 'From position', 'Hits', 'Median ms', 'Slowest ms'],
    hard.map(({ q, after, hits, medianMs, slowestMs }) => [
      q.length > 120 ? `${q.slice(0, 8)}… (${q.length})` : q,
      after,
      hits.toLocaleString('en'),
      figure(medianMs),
      figure(slowestMs),
    ]),
  );
}

const settings = settingsOrRefuse();
const { half } = settings;
const real = await readRealCompanies();
// The haystack avoids the questions of both halves, so that it is the same for both.
const questions = {
  tuning: makeQuestions(real, 'tuning', settings.perKind),
  reporting: makeQuestions(real, 'reporting', settings.perKind),
};
const synthetic = Math.max(0, settings.companies - real.length);
function* companies(): Generator<LinkedCompany> {
  yield* real;
  yield* synthesize(real, [...questions.tuning, ...questions.reporting], synthetic, settings.seed);
}

const folder = await mkdtemp(join(tmpdir(), 'search-bench-'));
try {
  const warming = questions[half === 'tuning' ? 'reporting' : 'tuning'];
  const machine = describeMachine();
  const results = await measureAll(folder, companies, {
    warming,
    questions: questions[half],
    rounds: settings.rounds,
  });
  const file = settings.report ?? 'report.md';
  const report = new Report(dirname(file), basename(file, '.md'), 'Search: relevance and speed');
  report.text(
    `Made by \`bun test/bench/search/run.ts --companies ${settings.companies} --questions ${settings.perKind} ` +
      `--rounds ${settings.rounds} --half ${half} --seed ${settings.seed}\`.`,
  );
  report.table(['Machine', ''], machine.rows);
  report.text(
    `The data has ${real.length.toLocaleString('en')} real companies of data/sample among ${synthetic.toLocaleString('en')} ` +
      'synthetic ones. One half of the real names (by LEI) makes the questions. Weights and limits were chosen with the ' +
      'other half, whose questions are asked first to warm up. Contenders that cannot load all companies in reasonable ' +
      'time have fewer, which makes the task easier for them.',
  );
  tellRelevance(report, results.measured);
  tellSpeed(report, results);
  tellHard(report, results.hard);
  if (settings.report !== null) report.save();
} finally {
  await rm(folder, { recursive: true, force: true });
}
