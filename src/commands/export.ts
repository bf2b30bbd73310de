/** `lei export`: the companies of a publication as NDJSON, CSV or Parquet. */
import { resolve } from 'node:path';
import { type ExportOptions, exportCompanies, type FormatName, formatNames } from '../export/export.ts';
import { type RowPart, rowParts } from '../export/rows.ts';
import { licenseNotice } from '../http/license-notice.ts';
import { identifierKinds } from '../lei/identifier-kinds.ts';
import { noticesOf } from '../lei/notices.ts';
import type { Manifest } from '../publication/manifest.ts';
import { openEnvironment } from '../store/open-publication.ts';
import { chosenPublication } from './data-folder.ts';
import { CommandFailure, type Context, command, type Options, once, oneOf } from './frame.ts';
import { companiesChosen, filterIn, filterOptions } from './list-filter-options.ts';
import { badOption, formatIn, textIn } from './options.ts';
import { type ProgressDisplay, progressDisplay } from './progress.ts';
import { counted, megabytes } from './result-texts.ts';
import { onInterrupt } from './signals.ts';

const help = `
Each NDJSON line holds the data of one look-up. CSV and Parquet have one column for each text and each number, named by
its path, such as entity.legalName.name; a list is one column of JSON. Times are texts; in Parquet they are timestamps,
and one that is no valid time is null.

--with relationships adds the data of /relationships as the member relationships. CSV and Parquet omit the lists of
children, since each child's row names its parents. --with identifiers adds all identifiers as the member identifiers; a
look-up shows only the first 20 ISINs. The command writes the notices that you must pass on with the data to
FILE.notice.txt and to the metadata of a Parquet file.

The filters are those of /ext/v1/list. A company must pass all of them. Most take up to 50 values, separated by commas,
in upper or lower case; ! in front leaves out companies with any of them. A country may also be written as a code of three
letters or as a name.

  lei export --format parquet --out companies.parquet
  lei export --country DE,AT --category '!FUND' --updatedFrom 2026-01-31 | head -1`;

export function exportCommand() {
  const built = command('export', 'write the companies of a publication as NDJSON, CSV or Parquet', run)
    .argument('[id]', 'id of the publication (default: the active one)')
    .option('--format <format>', formatNames.join(', '), oneOf(formatNames), 'ndjson')
    .option('--out <file>', 'the file to write (default: standard output)')
    .option('--bom', 'begin a CSV file with a byte order mark, by which Excel knows UTF-8')
    .option(
      '--with <parts>',
      `further data of each company: ${rowParts.join(', ')}, or both separated by a comma`,
    )
    .option(
      '--safe-cells',
      'put an apostrophe before CSV cells that begin with =, +, -, @ or a tab, which spreadsheets run',
    )
    .addHelpText('after', help);
  const filter = once('Give it once, with commas between values.');
  for (const [flags, description] of filterOptions) built.option(flags, description, filter);
  return built;
}

async function run(context: Context, [given]: readonly string[], options: Options) {
  const { layout } = context;
  const manifest = chosenPublication(layout, given);
  const { id } = manifest;
  const chosen = { ...exportOptions(options), notice: noticeOfAll(context, manifest) };
  const filter = filterIn(options);
  const publication = await openEnvironment(layout.publication(id), id, context.config.basePath);
  using interrupt = onInterrupt(new CommandFailure('interrupted', interrupted(chosen)));
  using display = displayFor(chosen);
  try {
    const companies = companiesChosen(publication, filter);
    const progress = showing(display, companies.length);
    const exported = await exportCompanies(publication, companies, chosen, progress, interrupt.signal);
    display?.stop();
    report(context, id, chosen, exported);
  } finally {
    await publication.close();
  }
}

/** Reads the options. commander has checked most of them. */
function exportOptions(given: Options): Omit<ExportOptions, 'notice'> {
  const path = textIn(given, 'out');
  const format = formatIn(given, formatNames, 'ndjson');
  refuseBinaryOnTerminal(format, path);
  return {
    format,
    path: path === null ? null : resolve(path),
    byteOrderMark: readByteOrderMark(given, format),
    parts: readParts(textIn(given, 'with')),
    safeCells: given['safeCells'] === true,
  };
}

function refuseBinaryOnTerminal(format: FormatName, path: string | null): void {
  if (format === 'parquet' && path === null && process.stdout.isTTY) {
    throw new CommandFailure('bad-option', 'Parquet is a binary format; give a file with --out.');
  }
}

function readByteOrderMark(given: Options, format: FormatName): boolean {
  const isAsked = given['bom'] === true;
  if (isAsked && format !== 'csv') throw new CommandFailure('bad-option', '--bom is for --format csv.');
  return isAsked;
}

function readParts(given: string | null): readonly RowPart[] {
  const asked = given?.split(',') ?? [];
  const known = rowParts.filter((part) => asked.includes(part));
  if (known.length === asked.length) return known;
  throw badOption('--with', given ?? '', `${rowParts.join(', ')}, or both separated by a comma`);
}

/** The licence texts of the data and of each kind of identifier in the publication. */
function noticeOfAll({ config }: Context, manifest: Manifest): string {
  const held = identifierKinds.filter((kind) => manifest.counts[kind] > 0);
  return licenseNotice(config.licenseNotice, noticesOf(held), manifest);
}

/** None where it would mix with the rows on the terminal. */
function displayFor({ path }: ExportOptions): ProgressDisplay | null {
  return path === null && process.stdout.isTTY ? null : progressDisplay(phase);
}
const phase = 'exporting';

/** Shows every 1,000 companies how many are written. */
function showing(display: ProgressDisplay | null, all: number): (companies: number) => void {
  return (rows) => {
    if (rows % 1000 === 0) display?.update({ phase, progress: rows / all, bytes: 0, bytesTotal: 0, rows });
  };
}

function interrupted({ path }: ExportOptions): string {
  return path === null ? 'Interrupted; the output is incomplete.' : `Interrupted; ${path} was not written.`;
}

/** Writes the result to the stream that does not carry the rows. */
function report(
  context: Context,
  id: string,
  { path, format, notice }: ExportOptions,
  { companies, bytes }: { readonly companies: number; readonly bytes: number },
): void {
  const text = `${counted(companies, 'company', 'companies')} of ${id} as ${format}, ${megabytes(bytes)}`;
  if (path === null) context.say([`${text}.`, notice]);
  else
    context.result({ publication: { id }, format, path, companies, bytes, notice }, [
      `${text}: ${path}`,
      notice,
    ]);
}
