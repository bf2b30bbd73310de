/** Asks the questions of pages, in the same way as the API's endpoints. */
import type { Answer, Question, Unavailability } from '../../protocol/questions.ts';
import type { HeldPublication } from '../contracts.ts';
import type { DataOf, ReadOn, Told, ToldAs } from '../pages/definition.ts';
import type { FoundAnswer } from './exchange.ts';
import type { LayerParts } from './layers/layer.ts';

export type QuestionParts = Pick<LayerParts, 'pool' | 'publications' | 'cursors' | 'textsOf'>;

/** Ends a visit whose question got no answer, with a 503 page. */
export class Unanswered extends Error {
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
  readonly #parts: QuestionParts;
  readonly #caller: string;
  #publication: HeldPublication | null = null;

  /** @param caller who is charged a turn for a slow question */
  constructor(parts: QuestionParts, caller: string) {
    this.#parts = parts;
    this.#caller = caller;
  }

  /** Id of the publication that answers; null before the first question. */
  get datasetVersion(): string | null {
    return this.#publication?.manifest.id ?? null;
  }

  /** @throws {Unanswered} */
  readonly ask = async <Kind extends keyof DataOf>(
    question: Question & { readonly kind: Kind },
  ): Promise<Told<Kind>> => this.#askActive<DataOf[Kind]>(question, '', parsed);

  /** @throws {Unanswered} */
  readonly askJson = (question: Question): Promise<ToldAs<Uint8Array<ArrayBuffer>>> =>
    this.#askActive(question, '', copied);

  /** @throws {Unanswered} */
  readonly askPage = async <Kind extends keyof DataOf>(
    question: (after: string | null) => Question & { readonly kind: Kind },
    { cursor, scope }: ReadOn,
  ): Promise<Told<Kind>> => {
    if (cursor === null) return this.#askActive<DataOf[Kind]>(question(null), scope, parsed);
    const { cursors, publications } = this.#parts;
    const opened = cursors.open(cursor, scopeOfPages(scope));
    const held = opened === null ? null : publications.held(opened.publicationId);
    if (opened === null || held === null) return { outcome: 'bad-cursor' };
    const told = await this.#ask<DataOf[Kind]>(held, question(opened.position), scope, parsed);
    return told === 'publication-gone' ? { outcome: 'bad-cursor' } : answered(told);
  };

  /** Asks the publication of the visit; after a swap between choosing and asking, the new active one. */
  async #askActive<Data>(question: Question, scope: string, take: Take<Data>): Promise<ToldAs<Data>> {
    const held = this.#active();
    const told = await this.#ask(held, question, scope, take);
    if (told !== 'publication-gone') return answered(told);
    // An earlier question of the visit may have noticed the swap already.
    if (this.#publication === held) this.#publication = null;
    if (this.#active() === held) throw new Unanswered(told);
    return this.#askActive(question, scope, take);
  }

  /** The publication that all questions without a cursor go to. */
  #active(): HeldPublication {
    const { publications } = this.#parts;
    if (!publications.accepting()) throw new Unanswered('shutting-down');
    this.#publication ??= publications.active();
    if (this.#publication === null) throw new Unanswered('no-publication');
    return this.#publication;
  }

  #ask<Data>(
    held: HeldPublication,
    question: Question,
    scope: string,
    take: Take<Data>,
  ): Promise<ToldAs<Data> | Unavailability> {
    return new Promise((resolve, reject) => {
      // The pool catches what is thrown here, so pass the error on.
      const read = (answer: Answer) => {
        try {
          resolve(this.#read(answer, held, scope, take));
        } catch (error) {
          reject(error);
        }
      };
      this.#parts.pool.ask(held.manifest.id, question, read, this.#caller);
    });
  }

  /** Reads an answer while its bytes are valid. */
  #read<Data>(
    answer: Answer,
    held: HeldPublication,
    scope: string,
    take: Take<Data>,
  ): ToldAs<Data> | Unavailability {
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
  ): ToldAs<Data> {
    const { cursors, textsOf } = this.#parts;
    const publicationId = held.manifest.id;
    const sealed =
      next === null ? null : cursors.seal({ publicationId, position: next }, scopeOfPages(scope));
    return {
      outcome: 'found',
      data: take(data),
      next: sealed,
      meta: JSON.parse(textOf(textsOf(held).meta(notices))),
    };
  }
}

function answered<Data>(told: ToldAs<Data> | Unavailability): ToldAs<Data> {
  if (typeof told === 'string') throw new Unanswered(told);
  return told;
}

/** The question's kind determines the type (DataOf). */
function parsed<Data>(data: Uint8Array): Data {
  return JSON.parse(textOf(data));
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
