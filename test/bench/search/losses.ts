/**
 * Asks fifteen kinds of questions as they are typed, and prints for each question that misses its company what was found
 * instead, so that losses are read and not guessed. Questions of one half of the real names are for tuning.
 *
 *     bun test/bench/search/losses.ts [--companies 100000] [--questions 120] [--half tuning] [--rounds 5]
 *         [--beside CHECKOUT]   another checkout of the service, asked in turn
 *         [--pairs FILE.tsv]    also names as others wrote them: name, country, city, number, LEI
 *         [--shown 50]          how many lost questions are printed
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { positive } from '../harness/arguments.ts';
import { percentiles } from '../harness/open-loop.ts';
import { type Contender, ourIndex } from './contenders.ts';
import { luceneIndex } from './lucene.ts';
import { build } from './measure.ts';
import { neutralWorld } from './neutral-world.ts';
import { halfOf } from './questions.ts';
import { readRealCompanies } from './real-names.ts';
import { makeTypedQuestions, namesOfAll, type TypedQuestion, typedKinds } from './typed-questions.ts';

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '120' },
    rounds: { type: 'string', default: '5' },
    half: { type: 'string', default: 'tuning' },
    beside: { type: 'string' },
    pairs: { type: 'string' },
    shown: { type: 'string', default: '50' },
  },
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

/** The contenders take turns question by question; the shortest of the rounds counts. */
function askAll(contenders: readonly Contender[], asked: readonly Asked[]): Answered[][] {
  const answers = contenders.map((contender) => asked.map((question) => ask(contender, question)));
  for (let round = 1; round < rounds; round++) {
    for (const [at, question] of asked.entries()) {
      const order = [...contenders.entries()];
      for (const [index, contender] of round % 2 === 0 ? order : order.reverse()) {
        const known = answers[index]?.[at];
        if (known !== undefined) known.ms = Math.min(known.ms, ask(contender, question).ms);
      }
    }
  }
  return answers;
}

function share(answers: readonly Answered[], most: number): string {
  const found = answers.filter(({ rank }) => rank > 0 && rank <= most).length;
  return (found / Math.max(1, answers.length)).toFixed(3);
}

const real = await readRealCompanies();
const world = [...neutralWorld(real, companies, 1)];
const all = namesOfAll(world);
const half = world
  .slice(0, real.length)
  .filter((_, at) => halfOf(real[at]?.lei ?? '') === (values.half === 'tuning' ? 'tuning' : 'reporting'));
const questions: Asked[] = [
  ...makeTypedQuestions(half, all, perKind, values.half === 'tuning' ? 31 : 32),
  ...(values.pairs === undefined ? [] : pairsIn(values.pairs, real)),
];

const folder = mkdtempSync(join(tmpdir(), 'search-losses-'));
try {
  const contenders: Contender[] = [ourIndex(join(folder, 'own'))];
  if (values.beside !== undefined) {
    const other = await import(resolve(values.beside, 'test/bench/search/contenders.ts'));
    contenders.push({ ...other.ourIndex(join(folder, 'other')), name: 'beside' });
  }
  const lucene = luceneIndex(join(folder, 'lucene'));
  if (lucene === null) console.log('Lucene is not run: it needs java, javac and liblucene8-java.');
  else contenders.push(lucene);
  for (const contender of contenders) {
    const cpu = process.cpuUsage();
    const { bytes } = await build(contender, world);
    const { user, system } = process.cpuUsage(cpu);
    console.log(
      `${contender.name}: ${(bytes / 1e6).toFixed(1)} MB, built in ${((user + system) / 1e6).toFixed(1)} s of CPU`,
    );
  }
  const answers = askAll(contenders, questions);
  const kinds = [...typedKinds, 'pairs'];
  console.log(['kind'.padEnd(14), 'asked', ...contenders.map(({ name }) => name)].join('  '));
  for (const kind of [...kinds, 'all']) {
    const places = questions.flatMap((question, at) =>
      question.kind === kind || (kind === 'all' && question.kind !== 'pairs') ? [at] : [],
    );
    const cells = answers.map((one) => {
      const ofKind = places.flatMap((at) => one[at] ?? []);
      const ms = ofKind.reduce((sum, answer) => sum + answer.ms, 0) / Math.max(1, ofKind.length);
      return `${share(ofKind, 1)} ${share(ofKind, 5)} ${ms.toFixed(3)} ms`;
    });
    console.log([kind.padEnd(14), String(places.length).padStart(5), ...cells].join('  '));
  }
  for (const [index, contender] of contenders.entries()) {
    const ms = Float64Array.from(answers[index] ?? [], (answer) => answer.ms);
    const mean = ms.reduce((sum, one) => sum + one, 0) / ms.length;
    const { p50, p99 } = percentiles(ms);
    console.log(
      `${contender.name}: p50 ${p50?.toFixed(3)} mean ${mean.toFixed(3)} p99 ${p99?.toFixed(3)} ms`,
    );
  }
  const named = (entity: number | undefined) => {
    const found = world[(entity ?? 0) - 1];
    return found === undefined
      ? 'nothing'
      : `${found.names
          .map(({ name }) => name)
          .slice(0, 3)
          .join(' = ')} (${found.registrationStatus})`;
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
  for (const contender of contenders) await contender.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
