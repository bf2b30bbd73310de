/** Defines what each check of a publication reads and reports to. */
import type { Manifest } from '../../../publication/manifest.ts';
import type { CompanyFile } from '../../../store/company-file.ts';
import type { PublicationReader } from '../../../store/publication-reader.ts';
import type { RawPublication } from '../../../store/raw-publication.ts';
import type { SearchAudit } from '../../../store/search/audit.ts';
import type { Tables } from '../../../store/tables.ts';

/** Numbers of things checked. */
export interface Checked {
  companies: number;
  relationships: number;
  identifiers: number;
  changes: number;
}

export interface Check {
  readonly manifest: Manifest;
  readonly raw: RawPublication<Tables>;
  readonly reader: PublicationReader;
  readonly companies: CompanyFile;
  readonly search: SearchAudit;
  /** Takes a sentence about something wrong. */
  readonly report: (problem: string) => void;
  readonly checked: Checked;
}

/** The most problems that are kept; the rest would say the same. */
const problemsMax = 100;

export function createProblems(): { problems: readonly string[]; report: (problem: string) => void } {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (problems.length < problemsMax) problems.push(problem);
  };
  return { problems, report };
}
