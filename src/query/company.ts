/** getCompanyByLei: the stored record, which is ready JSON. */
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { notFound } from './found.ts';

/** An LEI that is only mentioned by others has no record and is not found. */
export function answerCompany(publication: PublicationReader, lei: string): Answer {
  const entry = publication.find(lei);
  if (entry === null || !entry.hasRecord) return notFound;
  const company = publication.company(entry.entity);
  if (company === null) throw new Error(`The directory names a record of ${lei} that is not stored.`);
  return { outcome: 'found', data: company.json, next: null, notices: company.notices };
}
