/** getChangesSince: what changed in the publications after one, oldest first, in pages. */
import type { ChangesSinceQuestion } from '../protocol/ext-questions.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found } from './answers.ts';
import { noticesIn } from './changes.ts';

/** Shared by all answers: each leaves the thread before the next is made. */
const out = new JsonBytes();

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
