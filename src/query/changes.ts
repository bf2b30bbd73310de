/**
 * getCompanyChanges: the changes of a company, newest first. getChangesSince: the changes that the publications after
 * one brought, oldest first.
 */
import { type Notices, noticeKinds, noticesOf } from '../lei/notices.ts';
import type { ChangesSinceQuestion } from '../protocol/ext-questions.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found, notFound, out } from './answers.ts';

type ChangesQuestion = Extract<Question, { kind: 'changes' }>;

/** A removed company keeps its changes. Only an LEI that was never in the data is not found. */
export function answerChanges(publication: PublicationReader, question: ChangesQuestion): Answer {
  const page = publication.changes(question.lei, question.after, question.limit);
  if (page === null) return notFound;
  const items = page.items.join(',');
  out.begin();
  out.text(`{"lei":"${question.lei}","items":[${items}]}`);
  return found(out, noticesIn(items), page.next);
}

/** The notices that the mappings in snapshots and changes require. */
function noticesIn(items: string): Notices {
  const isHeld = (kind: string) => items.includes(`"${kind}":["`) || items.includes(`"mappings.${kind}"`);
  return noticesOf(noticeKinds.filter(isHeld));
}

export function answerChangesSince(publication: PublicationReader, question: ChangesSinceQuestion): Answer {
  const changes = publication.changesSince(question);
  if (changes.outcome === 'refused') {
    return { outcome: 'invalid', parameter: 'since', detail: changes.detail };
  }
  const items = changes.items.join(',');
  out.begin();
  out.text(`{"since":"${changes.since}","items":[${items}]}`);
  return found(out, noticesIn(items), changes.next);
}
