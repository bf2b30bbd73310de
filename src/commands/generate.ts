/** `lei generate`: a synthetic data set in GLEIF's own file formats, for load tests and trials. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { formats } from '../generate/files/golden-copy.ts';
import { entitiesLeast, entitiesMost, generate } from '../generate/generate.ts';
import type { GeneratedFile, GenerateOptions } from '../generate/write-plan.ts';
import { CommandFailure, type Context, command, type Options, oneOf, wholeNumber } from './frame.ts';
import { formatIn, numberIn } from './options.ts';
import { everyFewSeconds } from './progress.ts';
import { megabytes } from './result-texts.ts';

const help = `
Writes the files GLEIF would publish for N legal entities: level 1 records, relationship records, reporting
exceptions, the mappings of all kinds of identifiers and the ISO 10383 list, named and packed as GLEIF does. The same
seed gives the same bytes on every machine. With --delta the folder gets the files of the following day instead (make
them with the same --entities and --seed, and load them with "lei load --delta").

  lei generate --entities 100000 --out data/synthetic
  lei load data/synthetic/*
  lei generate --entities 100000 --out data/synthetic-next-day --delta
  lei load --delta data/synthetic-next-day/*
  lei generate --entities 100000 --out data/synthetic-day-2 --delta --day 2 --changes 3000

GLEIF's real data has about 3450000 entities; writing that many takes one to three minutes on two cores and 0.7 GB
zipped. The records are invented; by chance, an LEI in them may be a real one.`;

const threadsMost = 64;
/** One thread packs the largest file; about so many keep it busy. */
const threadsUsual = 8;

export function generateCommand() {
  const entities = wholeNumber(entitiesLeast, entitiesMost);
  const seed = wholeNumber(0, 0xffffffff);
  return command('generate', 'write a synthetic data set in GLEIF’s own file formats', run)
    .requiredOption(
      '--entities <n>',
      `number of legal entities, ${entitiesLeast} to ${entitiesMost}`,
      entities,
    )
    .requiredOption('--out <dir>', 'a new or empty folder; it will hold nothing but loadable files')
    .option('--seed <s>', 'a whole number; the same seed gives the same bytes', seed, 1)
    .option('--delta', 'write the files of the following day instead of the full set')
    .option(
      '--changes <n>',
      'with --delta: number of new or changed level 1 records (default: 0.38 % of the entities)',
      wholeNumber(1, entitiesMost),
    )
    .option('--day <n>', 'with --delta: number of days after the full set', wholeNumber(1, daysMost), 1)
    .option('--format <format>', 'csv, xml or json for the golden-copy files', oneOf(formats), 'csv')
    .option(
      '--threads <n>',
      `cores to use, 1 to ${threadsMost}, by default all but at most ${threadsUsual}; the files are the same with any number`,
      wholeNumber(1, threadsMost),
      Math.min(availableParallelism(), threadsUsual),
    )
    .addHelpText('after', help);
}

async function run(context: Context, _args: readonly string[], given: Options) {
  const options = optionsOf(given);
  const started = performance.now();
  const files = await generate(options, progressLines(context));
  const seconds = (performance.now() - started) / 1000;
  context.result({ folder: options.folder, files }, summary(options, files, seconds));
}

/** Reads the options, which commander has checked. */
function optionsOf(given: Options): GenerateOptions {
  return {
    entities: Number(given['entities']),
    seed: Number(given['seed']),
    delta: dayOf(given),
    format: formatIn(given, formats, 'csv'),
    folder: resolve(String(given['out'])),
    threads: Number(given['threads']),
  };
}

/** The most days of a chain of deltas. */
const daysMost = 1_000;

function dayOf(given: Options): GenerateOptions['delta'] {
  const changes = numberIn(given, 'changes');
  const day = Number(given['day']);
  if (given['delta'] === true) return { day, changes };
  if (changes === null && day === 1) return null;
  throw new CommandFailure('bad-option', '--changes and --day are allowed only with --delta.');
}

/** Reports every few seconds how many rows of the current file are written. */
function progressLines(context: Context): (file: string, rows: number) => void {
  const say = everyFewSeconds(context.say);
  return (file, rows) => say(() => `${file}: ${rows.toLocaleString('en')} rows`);
}

function summary(
  options: GenerateOptions,
  files: readonly GeneratedFile[],
  seconds: number,
): readonly string[] {
  const lines = files.map(
    ({ name, rows, bytes }) =>
      `${rows.toLocaleString('en').padStart(12)} rows ${megabytes(bytes).padStart(11)}  ${name}`,
  );
  return [...lines, `Written to ${options.folder} in ${seconds.toFixed(1)} s.`];
}
