/** getCompanies and getIdentifiers: the answers to many look-ups in one, each as it is alone. */
import { noNotices } from '../lei/notices.ts';
import { type BatchItem, type BatchQuestion, valueMark } from '../protocol/ext-questions.ts';
import { JsonBytes, nullPiece } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found } from './answers.ts';
import { answerCompany } from './company.ts';
import { answerIdentifier } from './identifiers.ts';
import { putList } from './json-parts.ts';

/** An answer leaves the thread before the next one is made. */
const out = new JsonBytes();

/** A hundred take less than two milliseconds, so nobody waits long behind a batch. */
export function answerBatch(publication: PublicationReader, question: BatchQuestion): Answer {
  const { of, items } = question;
  const [beforeValue = '', afterValue = ''] = question.notFound.split(valueMark);
  const answerMember = of === 'lei' ? 'company' : 'answer';
  let notices = noNotices;
  const put = ({ value, problem }: BatchItem) => {
    out.text(`{"${of}":${JSON.stringify(value)},"${answerMember}":`);
    const answer = problem === null ? answerOne(publication, of, value) : null;
    if (answer?.outcome === 'found') {
      notices |= answer.notices;
      out.block(answer.data);
      out.text(',"problem":null}');
    } else {
      out.put(nullPiece);
      out.text(`,"problem":${problem ?? beforeValue + value + afterValue}}`);
    }
  };
  out.begin();
  out.text('{"items":');
  putList(out, items, put);
  out.text('}');
  return found(out, notices);
}

function answerOne(publication: PublicationReader, of: BatchQuestion['of'], value: string): Answer {
  return of === 'lei' ? answerCompany(publication, value) : answerIdentifier(publication, of, value);
}
