/** Answers a data extension of the reconciliation service: properties of up to 100 companies. */
import type { Company } from '../lei/company.ts';
import { type Property, propertyOf } from '../lei/company-properties.ts';
import type { ExtensionQuestion, ExtensionRow } from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { found, out } from './answers.ts';

/** The rows by id, each a step. An unknown company has no values. */
export function* answerExtension(publication: PublicationReader, question: ExtensionQuestion): Steps<Answer> {
  const properties = question.properties.flatMap((id) => propertyOf(id) ?? []);
  const rowOf = ({ id, lei }: ExtensionRow) => {
    const company = lei === null ? null : companyOf(publication, lei);
    return `${JSON.stringify(id)}:${JSON.stringify(valuesOf(company, properties))}`;
  };
  const rows: string[] = [];
  for (const row of question.rows) {
    yield;
    rows.push(rowOf(row));
  }
  out.begin();
  out.text(`{${rows.join()}}`);
  return found(out);
}

function companyOf(publication: PublicationReader, lei: string): Company | null {
  const entry = publication.find(lei);
  const company = entry?.hasRecord === true ? publication.company(entry.entity) : null;
  return company === null ? null : JSON.parse(Buffer.from(company.json).toString('utf8'));
}

function valuesOf(company: Company | null, properties: readonly Property[]) {
  return Object.fromEntries(
    properties.map(({ id, values }) => [id, company === null ? [] : values(company)] as const),
  );
}
