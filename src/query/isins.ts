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
  const { total, items, next } = publication.isins(entry.entity, after, limit);
  out.begin();
  out.text(`{"lei":"${lei}","name":${textOrNull(name)},"total":${total},"items":${JSON.stringify(items)}}`);
  return found(out, undefined, next);
}
