/** Answers with lists of records by what companies are. */
import type { GleifAsk } from '../../protocol/gleif-questions.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import type { Steps } from '../../store/steps.ts';
import { type GleifTexts, skippedBefore } from './document.ts';
import { readConditions, readOrder } from './filters.ts';
import { pageAnswer } from './records.ts';

type RecordsAsk = Extract<GleifAsk, { for: 'records' }>;

export function* answerRecords(
  publication: PublicationReader,
  texts: GleifTexts,
  ask: RecordsAsk,
): Steps<Answer> {
  const read = yield* readConditions(publication, ask.filters);
  if ('outcome' in read) return { outcome: 'unavailable', reason: 'timeout' };
  const order = readOrder(ask.sort);
  const { total, entities } = yield* publication.lists.list({
    conditions: read.conditions,
    first: order.length === 0 ? read.first : null,
    order,
    skip: skippedBefore(ask.page),
    limit: ask.page.size,
  });
  return yield* pageAnswer(publication, texts, entities, total, ask);
}
