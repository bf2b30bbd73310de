/** getCompanyIsins: all ISINs of a company, in pages. */
import type { IsinsQuestion } from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found, notFound, out, textOrNull } from './answers.ts';

export function answerIsins(publication: PublicationReader, question: IsinsQuestion): Answer {
  const { lei, after, limit } = question;
  const entry = publication.find(lei);
  if (entry === null || !entry.hasRecord) return notFound;
  const { name } = publication.summary(entry.entity);
  const page = publication.isins(entry.entity, after, limit);
  if (page === null) return { outcome: 'not-found', detail: notKept(lei, publication.id) };
  const { total, items, next } = page;
  out.begin();
  out.text(`{"lei":"${lei}","name":${textOrNull(name)},"total":${total},"items":${JSON.stringify(items)}}`);
  return found(out, undefined, next);
}

function notKept(lei: string, id: string): string {
  return `LEI ${lei} has more ISINs than its record shows, but an earlier version of this service built dataset version ${id}, which lacks the others. The next load adds them.`;
}
