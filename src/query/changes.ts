/** getCompanyChanges: what happened to a company, newest first. */
import type { Answer, Notices, Question } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found, notFound } from './found.ts';

type ChangesQuestion = Extract<Question, { kind: 'changes' }>;

/** A removed company keeps its changes; only an LEI that was never seen is not found. */
export function answerChanges(publication: PublicationReader, question: ChangesQuestion): Answer {
  const page = publication.changes(question.lei, question.after, question.limit);
  if (page === null) return notFound;
  const items = page.items.join(',');
  return found(`{"lei":"${question.lei}","items":[${items}]}`, noticesIn(items), page.next);
}

/** Snapshots and changes of mappings may hold pairs whose licences call for a notice. */
function noticesIn(items: string): Notices {
  const holds = (kind: string) => items.includes(`"${kind}":["`) || items.includes(`"mappings.${kind}"`);
  return { bic: holds('bic'), mic: holds('mic'), gem: holds('gem') };
}
