/** Checks a sealed publication from its bytes to its last record, for `lei verify`. */
import { DamagedFile, ExpectedFailure, reasonOf } from '../../../errors.ts';
import { companiesIn, type Layout } from '../../../publication/layout.ts';
import type { Manifest } from '../../../publication/manifest.ts';
import { forgetDamage, readUnmarked } from '../../../publication/sealed.ts';
import { CompanyFile } from '../../../store/company-file.ts';
import { openEnvironment } from '../../../store/open-publication.ts';
import { openRawWith } from '../../../store/raw-publication.ts';
import { openSearchAudit } from '../../../store/search/audit.ts';
import { countProblems } from '../../checks.ts';
import { publicationDifference } from '../../digest/difference.ts';
import {
  type Check,
  type CheckCounts,
  checkChanges,
  checkColumns,
  checkCompanies,
  checkIdentifiers,
  checkIsinLists,
  checkOcids,
  checkRelationships,
  reportContradiction,
} from './check-contents.ts';

interface Verification {
  readonly id: string;
  readonly sound: boolean;
  /** Sentences; the first hundred. */
  readonly problems: readonly string[];
  readonly checked: Readonly<CheckCounts>;
}

/** The most problems that are kept; the rest would say the same. */
const problemsMax = 100;

/** The phases, in order; each is reported as it begins. */
const steps = {
  counts: checkCounts,
  companies: checkCompanies,
  columns: checkColumns,
  search: checkSearchIndex,
  relationships: checkRelationships,
  identifiers: checkIdentifiers,
  'OpenCorporates ids': checkOcids,
  'lists of ISINs': checkIsinLists,
  changes: checkChanges,
} as const;

/** @param progress receives the name of each phase as it begins */
export async function verifySealed(
  layout: Layout,
  id: string,
  progress: (phase: string) => void,
): Promise<Verification> {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (problems.length < problemsMax) problems.push(problem);
  };
  const checked = { companies: 0, relationships: 0, identifiers: 0, changes: 0 };
  const done = () => ({ id, sound: problems.length === 0, problems, checked });
  const reading = readUnmarked(layout, id);
  if (reading.outcome !== 'sound') {
    report(reading.message);
    return done();
  }
  progress('digest');
  const difference = await publicationDifference(layout, reading.manifest);
  if (difference === null)
    await reportDamage(report, () => checkContents(layout, reading.manifest, { report, checked }, progress));
  // Reading damaged pages can crash this process.
  else report(difference);
  // Memory that was wrong for a moment leaves a mark on sound files.
  if (problems.length === 0) await forgetDamage(layout, id);
  return done();
}

async function checkContents(
  layout: Layout,
  manifest: Manifest,
  into: Pick<Check, 'report' | 'checked'>,
  progress: (phase: string) => void,
): Promise<void> {
  const { id } = manifest;
  const folder = layout.publication(id);
  // Closed in reverse order, also if one of them does not open.
  await using opened = new AsyncDisposableStack();
  // Check the company file first: its fault is the clearest sign of a publication of an earlier version.
  const companies = new CompanyFile(companiesIn(folder), id, 'through');
  opened.defer(() => companies.close());
  const { raw, more: search } = openRawWith(folder, id, openSearchAudit, 'through');
  opened.defer(() => raw.close());
  const reader = await openToRead(folder, id, into.report);
  if (reader === null) return;
  opened.defer(() => reader.close());
  for (const [phase, check] of Object.entries(steps)) {
    progress(phase);
    await reportDamage(into.report, () => check({ manifest, raw, reader, companies, search, ...into }));
  }
}

/** Null, after a report, if the rows that an opening reads lack others that they lead to. */
async function openToRead(folder: string, id: string, report: Check['report']) {
  try {
    return await openEnvironment(folder, id);
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof ExpectedFailure) throw error;
    report(`The publication does not open: ${reasonOf(error)}`);
    return null;
  }
}

/** Reads of the company file and of the search file refuse damaged bytes, and a file whose header is damaged does not open. */
async function reportDamage(report: Check['report'], check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    report(error.message);
  }
}

/** Tables, meta record and manifest state the same numbers. */
function checkCounts({ raw, manifest, report }: Check): void {
  for (const problem of countProblems(raw)) report(`In the environment ${problem}.`);
  for (const [kind, stated] of Object.entries(manifest.counts)) {
    const counted = new Map(Object.entries(raw.meta.counts)).get(kind);
    if (counted !== stated)
      report(`The manifest states ${stated} ${kind}, but the environment has ${counted}.`);
  }
}

/** Whether the index is complete; the check of companies tests that it finds them by their names. */
function checkSearchIndex({ companies, search, report }: Check): void {
  reportContradiction(report, 'The check of the search index', () => search(companies, report));
}
