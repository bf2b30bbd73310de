/** getCompanyChanges: what happened to a company, newest first. */
import { type Notices, noticeKinds, noticesOf } from '../lei/notices.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found, notFound } from './found.ts';

type ChangesQuestion = Extract<Question, { kind: 'changes' }>;

/** A removed company keeps its changes; only an LEI that was never seen is not found. */
export function answerChanges(publication: PublicationReader, question: ChangesQuestion): Answer {
  const page = publication.changes(question.lei, question.after, question.limit);
  if (page === null) return notFound;
  const items = page.items.join(',');
  out.begin();
  out.text(`{"lei":"${question.lei}","items":[${items}]}`);
  return found(out, noticesIn(items), page.next);
}

/** An answer leaves the thread before the next one is made. */
const out = new JsonBytes();

/** Snapshots and changes of mappings may hold pairs whose licences call for a notice. */
function noticesIn(items: string): Notices {
  const isHeld = (kind: string) => items.includes(`"${kind}":["`) || items.includes(`"mappings.${kind}"`);
  return noticesOf(noticeKinds.filter(isHeld));
}
