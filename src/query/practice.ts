/**
 * What a thread asks itself while nobody asks it anything. Every thread compiles its code for itself, while it runs: the
 * first hundred searches among millions of companies take three times as long as the thousandth (decision 044). A
 * service that had just been started fell behind at half of the load that it carries a few seconds later.
 *
 * The more companies, the more there is to gain: where a search takes next to nothing, there is nothing to practise.
 */
import { limits } from '../config.ts';
import { searchTextMax, searchTextMin, type TextQuestion } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { answer } from './answer.ts';

export class Practice {
  /** How many companies it was about so far. */
  #companies = 0;
  #questions: TextQuestion[] = [];
  #question: TextQuestion | null = null;

  isOver(publication: PublicationReader): boolean {
    return this.#questions.length === 0 && this.#companies >= companiesIn(publication);
  }

  /** What it was at last, as JSON: null before the first question. */
  get question(): string {
    return JSON.stringify(this.#question);
  }

  /** Answers one more of the questions that callers ask, and throws the answer away. Throws as {@link answer} does. */
  step(publication: PublicationReader): void {
    if (this.#questions.length === 0) this.#questions = this.#questionsAboutNext(publication);
    this.#question = this.#questions.shift() ?? null;
    if (this.#question !== null) answer(publication, this.#question);
  }

  /** The companies are spread over the whole publication. */
  #questionsAboutNext(publication: PublicationReader): TextQuestion[] {
    const share = this.#companies++ / companiesIn(publication);
    const { lei, name } = publication.summary(1 + Math.floor(share * publication.lastEntity));
    return [{ kind: 'company', lei }, { kind: 'relationships', lei }, ...searchesFor(name ?? '')];
  }
}

function companiesIn({ lastEntity }: PublicationReader): number {
  return Math.min(limits.practisedCompaniesMax, Math.floor(lastEntity / limits.companiesPerPractised));
}

/** A name as a whole, and as far as somebody may have typed it who sees what is found meanwhile. */
function searchesFor(name: string): readonly TextQuestion[] {
  const characters = [...name.trim()];
  const typed = characters.slice(0, Math.ceil(characters.length * 0.6));
  return [characters, typed].map((some) => some.join('').trim()).flatMap(searchFor);
}

/** Of a text that callers may search for. */
function searchFor(q: string): readonly TextQuestion[] {
  const { length } = [...q];
  return length < searchTextMin || length > searchTextMax
    ? []
    : [{ kind: 'search', q, country: null, status: null, after: null, limit: 20 }];
}
