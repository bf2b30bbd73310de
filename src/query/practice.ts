/**
 * Makes the questions that an idle thread asks itself, so that its code is compiled before callers ask. Every thread
 * compiles its own code while it runs: the first hundred searches among millions of companies take three times as long
 * as the thousandth (decision 044). Without practice a new service falls behind at half of the load that it can handle
 * later.
 *
 * The practice grows with the publication: in a small one searches are fast from the start.
 */

import { searchTextMax, searchTextMin, type TextQuestion } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { answerQuestion } from './answer-question.ts';
import { queryLimits } from './limits.ts';

export class Practice {
  /** Companies used for practice so far. */
  #companies = 0;
  #questions: TextQuestion[] = [];
  #question: TextQuestion | null = null;

  isOver(publication: PublicationReader): boolean {
    return this.#questions.length === 0 && this.#companies >= companiesIn(publication);
  }

  /** The last question, as JSON; `null` before the first. */
  get question(): string {
    return JSON.stringify(this.#question);
  }

  /** Answers one more question and discards the answer. Throws only for a bug. */
  step(publication: PublicationReader): void {
    if (this.#questions.length === 0) this.#questions = this.#questionsAboutNext(publication);
    this.#question = this.#questions.shift() ?? null;
    if (this.#question !== null) answerQuestion(publication, this.#question);
  }

  /** The companies are spread over the whole publication. */
  #questionsAboutNext(publication: PublicationReader): TextQuestion[] {
    const share = this.#companies++ / companiesIn(publication);
    const { lei, name } = publication.summary(1 + Math.floor(share * publication.lastEntity));
    return [{ kind: 'company', lei }, { kind: 'relationships', lei }, ...searchesFor(name ?? '')];
  }
}

function companiesIn({ lastEntity }: PublicationReader): number {
  return Math.min(
    queryLimits.practisedCompaniesMax,
    Math.floor(lastEntity / queryLimits.companiesPerPractised),
  );
}

/** Searches for a whole name, and for its beginning, as typed by someone who searches while typing. */
function searchesFor(name: string): readonly TextQuestion[] {
  const characters = [...name.trim()];
  const typed = characters.slice(0, Math.ceil(characters.length * 0.6));
  return [characters, typed].map((some) => some.join('').trim()).flatMap(searchFor);
}

/** A search for a text, if its length is one that callers may search for. */
function searchFor(q: string): readonly TextQuestion[] {
  const { length } = [...q];
  return length < searchTextMin || length > searchTextMax
    ? []
    : [{ kind: 'search', q, country: null, status: null, after: null, limit: 20 }];
}
