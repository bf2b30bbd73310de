/**
 * Relevance and speed of search, beside SQLite's FTS5 and FlexSearch in memory, over the same names in one run:
 *
 *     bun test/bench/search/run.ts [--companies 3450000] [--questions 100] [--half reporting] [--report FILE]
 *
 * Needs some 4 GB of disk in the system's temporary folder and 5 minutes at full size.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { type Contender, flexsearchInMemory, type OurIndex, ourIndex, sqliteIndex } from './contenders.ts';
import { synthesize } from './haystack.ts';
import { makeQuestions, type Question, type QuestionKind, questionKinds } from './questions.ts';
import { readRealCompanies } from './real-names.ts';

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '3450000' },
    questions: { type: 'string', default: '100' },
    half: { type: 'string', default: 'reporting' },
    report: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

/** How many companies the slower contenders hold; the real ones are always among them. */
const heldAtMost = { trigram: 200_000, flexsearch: 150_000 };

interface Measured {
  readonly name: string;
  readonly companies: number;
  readonly buildSeconds: number;
  readonly bytes: number;
  readonly byKind: ReadonlyMap<QuestionKind, KindFigures>;
  /** Without identifiers, which only this service looks up. */
  readonly names: KindFigures;
  readonly all: KindFigures;
}

interface KindFigures {
  readonly questions: number;
  readonly hitAt1: number;
  readonly hitAt5: number;
  readonly meanReciprocalRank: number;
  readonly p50: number;
  readonly mean: number;
  readonly p99: number;
}

interface Answered {
  readonly kind: QuestionKind;
  /** From 1; 0 where the right company is not among the answers. */
  readonly rank: number;
  readonly ms: number;
}

function figuresOf(answers: readonly Answered[]): KindFigures {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const share = (wanted: (rank: number) => number) =>
    answers.reduce((sum, { rank }) => sum + (rank === 0 ? 0 : wanted(rank)), 0) / Math.max(1, answers.length);
  return {
    questions: answers.length,
    hitAt1: share((rank) => (rank === 1 ? 1 : 0)),
    hitAt5: share((rank) => (rank <= 5 ? 1 : 0)),
    meanReciprocalRank: share((rank) => 1 / rank),
    mean: times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length),
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

interface Asked {
  /** Others, asked first: they warm the machine code and the page cache up for all contenders alike. */
  readonly warming: readonly Question[];
  readonly questions: readonly Question[];
}

async function measure(
  contender: Contender,
  companies: Iterable<LinkedCompany>,
  { warming, questions }: Asked,
): Promise<Measured> {
  let count = 0;
  let building = 0;
  for (const document of companies) {
    const start = performance.now();
    contender.add(document);
    building += performance.now() - start;
    count++;
  }
  const start = performance.now();
  const bytes = await contender.finish();
  building += performance.now() - start;
  for (const { q } of warming) contender.answer(q);
  const answers = questions.map(({ kind, q, right }): Answered => {
    const asked = performance.now();
    const answer = contender.answer(q);
    const ms = performance.now() - asked;
    return { kind, rank: answer.findIndex((entity) => right.has(entity)) + 1, ms };
  });
  const byKind = new Map(
    questionKinds.map((kind) => [kind, figuresOf(answers.filter((answer) => answer.kind === kind))]),
  );
  const names = figuresOf(answers.filter(({ kind }) => kind !== 'identifier'));
  const all = figuresOf(answers);
  return { name: contender.name, companies: count, buildSeconds: building / 1000, bytes, byKind, names, all };
}

const percent = (share: number) => share.toFixed(3);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const ms = (time: number) => time.toFixed(time < 10 ? 2 : 0);

function relevanceTable(measured: readonly Measured[]): string {
  const header = ['kind', 'questions', ...measured.map(({ name }) => `${name}: hit@1 / hit@5 / MRR`)];
  const row = (title: string, figures: readonly KindFigures[]) => [
    title,
    String(figures[0]?.questions ?? 0),
    ...figures.map((f) => `${percent(f.hitAt1)} / ${percent(f.hitAt5)} / ${percent(f.meanReciprocalRank)}`),
  ];
  const none = figuresOf([]);
  const rows = questionKinds.map((kind) =>
    row(
      kind,
      measured.map(({ byKind }) => byKind.get(kind) ?? none),
    ),
  );
  rows.push(
    row(
      '**all**',
      measured.map(({ all }) => all),
    ),
  );
  return table(header, rows);
}

function speedTable(measured: readonly Measured[]): string {
  const header = ['', 'companies', 'built in s', 'MB', 'p50 ms', 'mean ms', 'p99 ms'];
  return table(
    header,
    measured.map((m) => [
      m.name,
      m.companies.toLocaleString('en'),
      m.buildSeconds.toFixed(0),
      Number.isNaN(m.bytes) ? '–' : (m.bytes / 1e6).toFixed(0),
      ms(m.names.p50),
      ms(m.names.mean),
      ms(m.names.p99),
    ]),
  );
}

/** How many times as fast as another contender. */
function ratios(ours: Measured, other: Measured): string {
  const times = (of: (figures: KindFigures) => number) => (of(other.names) / of(ours.names)).toFixed(0);
  return (
    `Beside ${other.name}, over as many companies: ${times(({ p50 }) => p50)} times as fast at the median, ` +
    `${times(({ mean }) => mean)} times on average, ${times(({ p99 }) => p99)} times at the 99th percentile.`
  );
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

const commonWords =
  'fund holdings investment capital partners trading group international services management real estate';

/** Questions that no one should ask, and the most common words of the haystack: one, two, and a dozen. */
const hardQuestions = [
  'fund',
  'fund holdings',
  commonWords,
  // A dozen again, of which one is mistyped, and a few in another order.
  commonWords.replace('trading', 'tradnig'),
  'estate fund real holdings',
  'investment fund',
  'gmbh',
  'limited',
  'international hold',
  'a',
  'a'.repeat(500),
];

const hardTimes = 25;

function hardTable(index: OurIndex): string {
  const rows = hardQuestions.flatMap((q) =>
    ['0', '5000', '100000'].flatMap((after) => {
      const times: number[] = [];
      let total = 0;
      for (let i = 0; i < hardTimes; i++) {
        const start = performance.now();
        const outcome = index.reader().search({ q, country: null, status: null, after, limit: 20 });
        times.push(performance.now() - start);
        total = outcome.outcome === 'hits' ? outcome.total : -1;
      }
      if (total < Number(after)) return [];
      times.sort((a, b) => a - b);
      return [
        [
          q.length > 120 ? `${q.slice(0, 8)}… (${q.length})` : q,
          after,
          total.toLocaleString('en'),
          ms(times[Math.floor(hardTimes / 2)] ?? 0),
          ms(times[hardTimes - 1] ?? 0),
        ],
      ];
    }),
  );
  return table(['question', 'from position', 'hits', 'median ms', 'slowest ms'], rows);
}

function* first(companies: Iterable<LinkedCompany>, count: number): Generator<LinkedCompany> {
  let given = 0;
  for (const document of companies) {
    if (given++ >= count) return;
    yield document;
  }
}

const half = values.half === 'tuning' ? 'tuning' : 'reporting';
const real = await readRealCompanies();
const perKind = Number(values.questions);
// The haystack keeps clear of the questions of both halves, so that it is the same for both.
const questions = {
  tuning: makeQuestions(real, 'tuning', perKind),
  reporting: makeQuestions(real, 'reporting', perKind),
};
const synthetic = Math.max(0, Number(values.companies) - real.length);
function* companies(): Generator<LinkedCompany> {
  yield* real;
  yield* synthesize(real, [...questions.tuning, ...questions.reporting], synthetic, Number(values.seed));
}

const folder = await mkdtemp(join(tmpdir(), 'search-bench-'));
try {
  const asked: Asked = {
    warming: questions[half === 'tuning' ? 'reporting' : 'tuning'],
    questions: questions[half],
  };
  const ours = ourIndex(folder);
  const measured = [await measure(ours, companies(), asked)];
  const hard = hardTable(ours);
  await ours.close();
  console.error(speedTable(measured));
  const others: [Contender, number][] = [
    [sqliteIndex(folder, 'unicode61 remove_diacritics 2'), Number.POSITIVE_INFINITY],
    [sqliteIndex(folder, 'trigram'), heldAtMost.trigram],
    [flexsearchInMemory(), heldAtMost.flexsearch],
  ];
  for (const [contender, most] of others) {
    measured.push(await measure(contender, first(companies(), most), asked));
    await contender.close();
    console.error(speedTable(measured.slice(-1)));
  }
  const names = measured[0]?.companies ?? 0;
  const report = [
    '# Search: relevance and speed',
    '',
    `One run of \`bun test/bench/search/run.ts --companies ${values.companies} --questions ${perKind} --half ${half} ` +
      `--seed ${values.seed}\` on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Bun ${Bun.version}, ` +
      `${new Date().toISOString().slice(0, 10)}. Compare columns, not absolute times.`,
    '',
    `${real.length.toLocaleString('en')} real companies of data/sample among ` +
      `${(names - real.length).toLocaleString('en')} synthetic ones. Questions are made from one half of the real ` +
      'names (by LEI); weights and bounds were chosen on the other, whose questions are asked first to warm up. Contenders that can not hold all companies in ' +
      'reasonable time hold fewer, which makes it easier for them.',
    '',
    '## Relevance',
    '',
    relevanceTable(measured),
    '',
    '## Speed',
    '',
    speedTable(measured),
    '',
    ...measured.slice(1, 2).flatMap((other) => measured.slice(0, 1).map((ours) => ratios(ours, other))),
    '',
    `In a process of its own, opening the index took ${ms(ours.opening().ms)} ms and added ` +
      `${megabytes(ours.opening().privateBytes)} MB of private memory, ${megabytes(ours.opening().privateBytesInUse)} MB ` +
      'after a hundred questions (machine code and the buffers of lmdb included). ' +
      `On disk it takes ${((measured[0]?.bytes ?? 0) / Math.max(1, names)).toFixed(0)} bytes a company ` +
      '(names, identifiers, filters and everything needed for typing errors included).',
    '',
    '## Common words and deep pages',
    '',
    hard,
    '',
  ].join('\n');
  if (values.report === undefined) console.log(report);
  else await Bun.write(values.report, report);
} finally {
  await rm(folder, { recursive: true, force: true });
}
