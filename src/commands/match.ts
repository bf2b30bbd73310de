/** `lei match`: finds the company of each row of a CSV file. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExpectedFailure } from '../errors.ts';
import { type ColumnNames, listedColumns } from '../match-file/columns.ts';
import { encodingNamed } from '../match-file/encoded-rows.ts';
import {
  type MatchFileOptions,
  type MatchSummary,
  matchFile,
  outputFormats,
} from '../match-file/match-file.ts';
import { readBeginning } from '../match-file/read-beginning.ts';
import { quoted } from '../terminal-text.ts';
import { activePublication } from './data-folder.ts';
import { CommandFailure, type Context, command, type Options, once, oneOf } from './frame.ts';
import { badOption, formatIn, textIn } from './options.ts';
import { progressDisplay } from './progress.ts';
import { counted } from './result-texts.ts';
import { onInterrupt } from './signals.ts';

const help = `
Adds the columns lei, matched_name, verdict and score to every row and keeps the order of the file. The verdict is match,
ambiguous (the row gives the best candidate, but others are as likely or the score is low) or none. Countries are
codes or names (DE, DEU, UK, Germany, Allemagne). The first line holds the names of the columns, and commas, semicolons,
tabs or bars separate the fields, also in the result. A byte order mark is kept; --bom adds one.

The file is UTF-8, has a byte order mark, or has the encoding that --encoding states: windows-1252 for the "CSV" of Excel in
Western Europe, windows-1250 in Central Europe, windows-1251 for Cyrillic, shift_jis, gbk, big5, euc-kr. The result is always
UTF-8, and begins with a byte order mark if the file was not UTF-8.

  lei match customers.csv --name Company --country Country --out matched.csv
  lei match clients.csv --name "raison sociale" --country pays --encoding windows-1252 --decimal-comma --out matched.csv
  lei match customers.csv --registration-number HRB --country Country --format ndjson | head`;

export function matchCommand() {
  const column = once('A row is matched by one column of each kind.');
  return command('match', 'find the company that each row of a CSV file names', run)
    .argument('<file>', 'the CSV file')
    .option('--name <column>', 'the column with the name', column)
    .option('--country <column>', 'the column with the country, a code or a name', column)
    .option('--city <column>', 'the column with the city', column)
    .option('--registration-number <column>', 'the column with the number in the business register', column)
    .option('--lei <column>', 'the column with the LEI', column)
    .option('--encoding <name>', 'the encoding of a file that is not UTF-8, such as windows-1252')
    .option('--format <format>', outputFormats.join(', '), oneOf(outputFormats), 'csv')
    .option('--out <file>', 'the file to write (default: standard output)')
    .option('--bom', 'begin CSV with a byte order mark, by which Excel knows UTF-8')
    .option('--decimal-comma', 'write scores in CSV as 0,967, for spreadsheets of most of Europe')
    .option('--prefix <text>', 'prefix for the names of the added columns', '')
    .option(
      '--safe-cells',
      'put an apostrophe before CSV cells that begin with =, +, -, @ or a tab, which spreadsheets run',
    )
    .addHelpText('after', help);
}

async function run(context: Context, [file = '']: readonly string[], given: Options) {
  try {
    await matchGiven(context, file, given);
  } catch (error) {
    throw error instanceof ExpectedFailure && error.code === 'bad-csv'
      ? new CommandFailure('bad-csv', `${file}: ${error.message}.`)
      : error;
  }
}

async function matchGiven(context: Context, file: string, given: Options): Promise<void> {
  const bytesTotal = sizeOf(file);
  const options = matchOptions(resolve(file), given);
  const { layout } = context;
  const { id } = activePublication(layout);
  using interrupt = onInterrupt(new CommandFailure('interrupted', 'Interrupted; the result is incomplete.'));
  using display = progressDisplay();
  const matched = await matchFile(
    { folder: layout.publication(id), id },
    options,
    ({ rows, bytesRead }) => {
      const progress = bytesTotal === 0 ? 0 : Math.min(1, bytesRead / bytesTotal);
      display.update({ phase: 'matching', progress, bytes: bytesRead, bytesTotal, rows });
    },
    interrupt.signal,
  );
  display.stop();
  report(context, id, options, matched);
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() === true) return found.size;
  throw new CommandFailure('no-file', `${file} is not a file.`);
}

/** Reads the options; commander has checked the format. */
function matchOptions(path: string, given: Options): MatchFileOptions {
  const out = textIn(given, 'out');
  const columns: ColumnNames = {
    name: textIn(given, 'name'),
    country: textIn(given, 'country'),
    city: textIn(given, 'city'),
    registrationNumber: textIn(given, 'registrationNumber'),
    lei: textIn(given, 'lei'),
  };
  const encoding = encodingIn(given);
  if (columns.name === null && columns.registrationNumber === null && columns.lei === null) {
    throw withoutColumns(path, encoding);
  }
  const output = out === null ? null : resolve(out);
  if (output !== null && isSameFile(output, path))
    throw new CommandFailure('bad-option', '--out must be a different file from the one that is read.');
  const format = formatIn(given, outputFormats, 'csv');
  const safeCells = given['safeCells'] === true;
  const byteOrderMark = given['bom'] === true;
  const decimalComma = given['decimalComma'] === true;
  for (const [isGiven, option] of [
    [byteOrderMark, '--bom'],
    [decimalComma, '--decimal-comma'],
  ] as const) {
    if (isGiven && format !== 'csv') throw new CommandFailure('bad-option', `${option} is for --format csv.`);
  }
  const prefix = textIn(given, 'prefix') ?? '';
  return { path, columns, encoding, format, out: output, prefix, safeCells, decimalComma, byteOrderMark };
}

/** @throws ExpectedFailure for a file that is not CSV */
function withoutColumns(path: string, encoding: string | null): CommandFailure {
  const { header } = readBeginning(path, encoding, () => false);
  const listed = header === null ? '' : ` The file has the columns ${listedColumns(header.columns)}.`;
  const advice = 'Give at least one column to match by: --name, --registration-number or --lei.';
  return new CommandFailure('bad-option', advice + listed);
}

/** `--encoding`; null without it. */
function encodingIn(given: Options): string | null {
  const label = textIn(given, 'encoding');
  const encoding = label === null ? null : encodingNamed(label);
  if (label === null || encoding !== null) return encoding;
  const right =
    'an encoding that browsers know, such as windows-1252, windows-1250, iso-8859-2, shift_jis or gbk';
  throw badOption('--encoding', label, right);
}

/** Whether both paths lead to one file, also through links: writing the one would destroy the other. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** Writes the result to the stream that does not carry the rows. */
function report(
  context: Context,
  id: string,
  { out, format }: MatchFileOptions,
  matched: MatchSummary,
): void {
  const { rows, match, ambiguous, none, unusedCountries, unusedLeis, shortRows } = matched;
  const count = (number: number) => number.toLocaleString('en');
  if (unusedCountries > 0) {
    const texts = textsOf(matched.unusedCountryTexts);
    context.say(`The country of ${counted(unusedCountries, 'row')} names none and was ignored: ${texts}.`);
  }
  if (unusedLeis > 0) {
    const texts = textsOf(matched.unusedLeiTexts);
    context.say(
      `The LEI of ${counted(unusedLeis, 'row')} can't be read or has wrong check digits, and was ignored: ${texts}.`,
    );
  }
  if (shortRows > 0) {
    context.say(
      `${counted(shortRows, 'row')} with fewer fields than the header: the missing ones count as empty.`,
    );
  }
  const text = `${counted(rows, 'row')}: ${count(match)} match, ${count(ambiguous)} ambiguous, ${count(none)} none`;
  if (out === null) context.say(`${text}.`);
  else context.result({ publication: { id }, format, path: out, ...matched }, `${text}: ${out}`);
}

function textsOf(texts: readonly string[]): string {
  return texts.map(quoted).join(', ');
}
