/** getCompanies and getIdentifiers: the answers to many look-ups in one, each as it is alone. */
import { noNotices } from '../lei/notices.ts';
import { type BatchItem, type BatchQuestion, valueMark } from '../protocol/ext-questions.ts';
import { JsonBytes, nullPiece, piece } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found } from './answers.ts';
import { answerCompany } from './company.ts';
import { answerIdentifier } from './identifiers.ts';
import { putList } from './json-parts.ts';

/** Shared by all answers: each leaves the thread before the next is made. */
const out = new JsonBytes();

/** A hundred take less than a millisecond, so nobody waits long behind a batch. */
export function answerBatch(publication: PublicationReader, question: BatchQuestion): Answer {
  const { of, items } = question;
  const [beforeValue = '', afterValue = ''] = question.notFound.split(valueMark);
  const { before, between } = membersOf(of);
  let notices = noNotices;
  const put = ({ value, problem }: BatchItem) => {
    out.put(before);
    // An identifier has nothing to escape.
    out.text(problem === null ? `"${value}"` : JSON.stringify(value));
    out.put(between);
    const answer = problem === null ? answerOne(publication, of, value) : null;
    if (answer?.outcome === 'found') {
      notices |= answer.notices;
      out.block(answer.data);
      out.put(noProblem);
    } else {
      out.put(nullPiece);
      out.text(`,"problem":${problem ?? beforeValue + value + afterValue}}`);
    }
  };
  out.begin();
  out.put(itemsStart);
  putList(out, items, put);
  out.put(itemsEnd);
  return found(out, notices);
}

const [itemsStart, itemsEnd, noProblem] = [piece('{"items":'), piece('}'), piece(',"problem":null}')];

interface Members {
  /** The JSON before a value, and between a value and its answer. */
  readonly before: Uint8Array;
  readonly between: Uint8Array;
}

const known = new Map<BatchQuestion['of'], Members>();

function membersOf(of: BatchQuestion['of']): Members {
  const members = known.get(of) ?? {
    before: piece(`{"${of}":`),
    between: piece(of === 'lei' ? ',"company":' : ',"answer":'),
  };
  known.set(of, members);
  return members;
}

function answerOne(publication: PublicationReader, of: BatchQuestion['of'], value: string): Answer {
  return of === 'lei' ? answerCompany(publication, value) : answerIdentifier(publication, of, value);
}
