/** getCompanies and getIdentifiers: the answers to many look-ups in one, each equal to a single one. */
import { lineLimits } from '../dispatch/limits.ts';
import { noNotices } from '../lei/notices.ts';
import { type BatchItem, type BatchQuestion, valueMark } from '../protocol/ext-questions.ts';
import { JsonBytes, type JsonPiece, nullPiece, piece } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import { remembered } from '../remembered.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found } from './answers.ts';
import { answerCompany, answerIdentifier } from './look-ups.ts';

/** Takes the next part of an answer, whose memory is reused. @returns false if it must come with the rest */
export type HandOn = (part: Uint8Array) => boolean;

/** A buffer of its own: the items are made in the one that other answers share. */
const out = new JsonBytes();

/** A hundred take less than a millisecond, so nobody waits long behind a batch. */
export function answerBatch(
  publication: PublicationReader,
  question: BatchQuestion,
  handOn: HandOn | null = null,
): Answer {
  const { of, items } = question;
  const answer = (value: string) =>
    of === 'lei' ? answerCompany(publication, value) : answerIdentifier(publication, of, value);
  const put = itemWriter(question, answer);
  const parts = handOn === null ? null : new AnswerParts(items.length, handOn);
  let notices = noNotices;
  out.begin();
  out.put(itemsStart);
  items.forEach((item, index) => {
    if (index > 0) out.byte(comma);
    notices |= put(item);
    parts?.handOn(index + 1);
  });
  out.put(itemsEnd);
  return found(out, notices);
}

const comma = 0x2c;
const [itemsStart, itemsEnd, noProblem] = [piece('{"items":['), piece(']}'), piece(',"problem":null}')];

/** Sends what is made so far whenever it is enough, so that the front passes it on while the thread continues. */
class AnswerParts {
  readonly #items: number;
  #take: HandOn | null;
  #hasBegun = false;

  constructor(items: number, take: HandOn) {
    this.#items = items;
    this.#take = take;
  }

  /** @param made items that are written */
  handOn(made: number): void {
    if (this.#take === null || out.length < lineLimits.partBytes || made === this.#items) return;
    const expectedBytes = (out.length / made) * this.#items;
    this.#hasBegun ||= expectedBytes >= lineLimits.partedBytesMin;
    if (this.#hasBegun && this.#take(out.bytes())) out.begin();
    // The front is far behind, or the answer is short.
    else this.#take = null;
  }
}

/** @returns a function that writes an item and returns the notices that it requires */
function itemWriter({ of, notFound }: BatchQuestion, answerOne: (value: string) => Answer) {
  const { before, between } = membersOf(of);
  const [beforeValue = '', afterValue = ''] = notFound.split(valueMark);
  const putProblem = (problem: string) => {
    out.put(nullPiece);
    out.text(`,"problem":${problem}}`);
    return noNotices;
  };
  return (item: BatchItem) => {
    const isFaulty = typeof item !== 'string';
    // Numbers of OpenCorporates ids may have any characters.
    const value = JSON.stringify(isFaulty ? item.value : item);
    out.put(before);
    out.text(value);
    out.put(between);
    if (isFaulty) return putProblem(item.problem);
    const answer = answerOne(item);
    if (answer.outcome !== 'found') return putProblem(beforeValue + value.slice(1, -1) + afterValue);
    out.block(answer.data);
    out.put(noProblem);
    return answer.notices;
  };
}

interface ItemPieces {
  /** The JSON before a value, and between a value and its answer. */
  readonly before: JsonPiece;
  readonly between: JsonPiece;
}

const membersOf = remembered(
  (of): ItemPieces => ({
    before: piece(`{"${of}":`),
    between: piece(of === 'lei' ? ',"company":' : ',"answer":'),
  }),
);
