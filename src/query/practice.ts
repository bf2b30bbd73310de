/**
 * What a thread asks itself while nobody asks it anything. Every thread compiles its code for itself, while it runs: a
 * search among millions of companies takes five times as long when it is the first as when it is the hundredth. A
 * service that had just been started fell behind at half of the load that it carries a few seconds later.
 *
 * The more companies, the more there is to gain: where a search takes next to nothing, there is nothing to practise.
 */
import { limits } from '../config.ts';
import type { TextQuestion } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { answer } from './answer.ts';

export class Practice {
  /** How many companies it was about so far. */
  #companies = 0;
  #questions: TextQuestion[] = [];

  isOver(publication: PublicationReader): boolean {
    return this.#questions.length === 0 && this.#companies >= companiesIn(publication);
  }

  /** Answers one more of the questions that callers ask, and throws the answer away. Throws as {@link answer} does. */
  step(publication: PublicationReader): void {
    if (this.#questions.length === 0) this.#questions = this.#questionsAboutNext(publication);
    const question = this.#questions.shift();
    if (question !== undefined) answer(publication, question);
  }

  /** The companies are spread over the whole publication. */
  #questionsAboutNext(publication: PublicationReader): TextQuestion[] {
    const share = this.#companies++ / companiesIn(publication);
    const { lei, name } = publication.summary(1 + Math.floor(share * publication.lastEntity));
    return questionsAbout(lei, name);
  }
}

function companiesIn({ lastEntity }: PublicationReader): number {
  return Math.min(limits.practisedCompaniesMax, Math.floor(lastEntity / limits.companiesPerPractised));
}

function questionsAbout(lei: string, name: string | null): TextQuestion[] {
  const byLei: TextQuestion[] = [
    { kind: 'company', lei },
    { kind: 'relationships', lei },
  ];
  return name === null ? byLei : [...byLei, searchFor(name), searchFor(unfinished(name))];
}

function searchFor(q: string): TextQuestion {
  return { kind: 'search', q, country: null, status: null, after: null, limit: 20 };
}

/** As far as somebody may have typed it who sees what is found meanwhile. */
function unfinished(name: string): string {
  return name.slice(0, Math.ceil(name.length * 0.6)).trim();
}
