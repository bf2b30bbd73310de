/** Asks the questions of pages, in the same way as the API's endpoints. */

import { type MadePage, readMadePage } from '../html/made-page.ts';
import type { Exchange, FoundAnswer } from '../http/exchange.ts';
import type { HeldPublication } from '../http/publication-texts.ts';
import type { StepParts } from '../http/step.ts';
import { askByPromise } from '../http/steps.ts';
import type { Answer, Question, Unavailability } from '../protocol/questions.ts';
import type { DataAnswer, DataAnswerAs, DataOf, MadeQuestion, ReadOn } from './definition.ts';

/** Ends a visit whose question got no answer. */
export class UnansweredVisit extends Error {
  readonly reason: Unavailability;
  constructor(reason: Unavailability) {
    super(`A page got no answer: ${reason}.`);
    this.reason = reason;
  }
}

/** Takes the data of an answer while its bytes are valid. */
type Take<Data> = (data: Uint8Array) => Data;

/** The questions of one visit. All of them go to one publication, except those that a cursor pins to another. */
export class PageQuestions {
  readonly #exchange: Exchange;
  readonly #parts: StepParts;
  #publication: HeldPublication | null = null;

  constructor(exchange: Exchange, parts: StepParts) {
    this.#exchange = exchange;
    this.#parts = parts;
  }

  /** @throws {UnansweredVisit} */
  readonly ask = <Kind extends keyof DataOf>(
    question: Question & { readonly kind: Kind },
  ): Promise<DataAnswer<Kind>> => this.#askActive<DataOf[Kind]>(question, '', parsed);

  /** @throws {UnansweredVisit} */
  readonly askJson = (question: Question): Promise<DataAnswerAs<Uint8Array<ArrayBuffer>>> =>
    this.#askActive(question, '', copied);

  /** @throws {UnansweredVisit} */
  readonly askPage = <Kind extends keyof DataOf>(
    question: (after: string | null) => Question & { readonly kind: Kind },
    readOn: ReadOn,
  ): Promise<DataAnswer<Kind>> => this.#askAt<DataOf[Kind]>(question, readOn, parsed);

  /** @throws {UnansweredVisit} */
  readonly askMade = (
    question: (after: string | null) => MadeQuestion,
    readOn: ReadOn = { cursor: null, scope: '' },
  ): Promise<DataAnswerAs<MadePage>> => this.#askAt(question, readOn, made);

  async #askAt<Data>(
    question: (after: string | null) => Question,
    { cursor, scope }: ReadOn,
    take: Take<Data>,
  ): Promise<DataAnswerAs<Data>> {
    if (cursor === null) return this.#askActive(question(null), scope, take);
    const { cursors, publications } = this.#parts;
    const opened = cursors.open(cursor, scopeOfPages(scope));
    const held = opened === null ? null : publications.held(opened.publicationId);
    if (opened === null || held === null) return { outcome: 'bad-cursor' };
    const asked = question(opened.position);
    const told = await this.#askHeld(held, asked, scope, take);
    if (told === 'publication-gone') return { outcome: 'bad-cursor' };
    const answer = answered(told);
    if (answer.outcome !== 'found') return answer;
    const before = positionBefore(asked, opened.position);
    return { ...answer, previous: before && this.#cursor(held, before, scope) };
  }

  #cursor(held: HeldPublication, position: string, scope: string): string {
    return this.#parts.cursors.seal({ publicationId: held.manifest.id, position }, scopeOfPages(scope));
  }

  /** Asks the publication of the visit. */
  async #askActive<Data>(question: Question, scope: string, take: Take<Data>): Promise<DataAnswerAs<Data>> {
    return answered(await this.#askHeld(this.#active(), question, scope, take));
  }

  /** The publication that all questions without a cursor go to. */
  #active(): HeldPublication {
    if (this.#publication === null) {
      const { answering } = this.#parts.publications;
      if (typeof answering === 'string') throw new UnansweredVisit(answering);
      this.#publication = answering;
      this.#exchange.choose(this.#parts.textsOf(answering));
    }
    return this.#publication;
  }

  #askHeld<Data>(
    held: HeldPublication,
    question: Question,
    scope: string,
    take: Take<Data>,
  ): Promise<DataAnswerAs<Data> | Unavailability> {
    const { pool, textsOf } = this.#parts;
    return askByPromise(this.#exchange, pool, textsOf(held), question, (answer) =>
      this.#read(answer, held, scope, take),
    );
  }

  /** Reads an answer while its bytes are valid. */
  #read<Data>(
    answer: Answer,
    held: HeldPublication,
    scope: string,
    take: Take<Data>,
  ): DataAnswerAs<Data> | Unavailability {
    switch (answer.outcome) {
      case 'found':
        return this.#found(answer, held, scope, take);
      case 'unavailable':
        return answer.reason;
      case 'compressed':
        return 'failed';
      case 'invalid':
        return answer.parameter === 'cursor' ? { outcome: 'bad-cursor' } : answer;
      default:
        return answer;
    }
  }

  #found<Data>(
    { data, next, notices }: FoundAnswer,
    held: HeldPublication,
    scope: string,
    take: Take<Data>,
  ): DataAnswerAs<Data> {
    const { textsOf } = this.#parts;
    return {
      outcome: 'found',
      data: take(data),
      next: next === null ? null : this.#cursor(held, next, scope),
      previous: null,
      // Few pages show it, and only of one of their answers.
      get meta() {
        return JSON.parse(textOf(textsOf(held).meta(notices)));
      },
    };
  }
}

function answered<Data>(told: DataAnswerAs<Data> | Unavailability): DataAnswerAs<Data> {
  if (typeof told === 'string') throw new UnansweredVisit(told);
  return told;
}

/** The position of the page before; '' for the first page, null if positions do not count items. */
function positionBefore(question: Question, position: string): string | null {
  if (question.kind !== 'search' && question.kind !== 'list') return null;
  const before = Number(position) - question.limit;
  return before > 0 ? String(before) : '';
}

/** The question's kind determines the type (DataOf). */
function parsed<Data>(data: Uint8Array): Data {
  return JSON.parse(textOf(data));
}

function made(data: Uint8Array): MadePage {
  return readMadePage(textOf(data));
}

function copied(data: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data);
}

/** Separates the cursors of pages from those of the API. */
function scopeOfPages(scope: string): string {
  return `page ${scope}`;
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8');
}
