/** Runs in a thread that matches rows: it keeps the publication open and answers batch by batch. */
import type { KnownOfCompany } from '../protocol/ext-questions.ts';
import { type Match, matchCompany, type Verdict } from '../query/match.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { CallHandlers } from '../threads/calls.ts';

/** The tasks of a matching thread. */
export interface MatchingTasks {
  match(questions: readonly KnownOfCompany[]): readonly MatchedRow[];
  /** Closes the publication and ends the thread. */
  end(): void;
}

/** The match of a row. LEI and name are those of the best candidate, and null if the verdict is `none`. */
export interface MatchedRow {
  readonly lei: string | null;
  readonly name: string | null;
  readonly verdict: Verdict;
  /** 0 if there is no candidate. */
  readonly score: number;
}

export function matchingTasks(
  opening: Promise<PublicationReader>,
  end: () => void,
): CallHandlers<MatchingTasks> {
  // A failure to open is reported when the first task needs the publication.
  opening.catch(() => {});
  return {
    async match(questions) {
      const publication = await opening;
      return questions.map((question) => rowOf(publication, question));
    },
    async end() {
      const publication = await opening.catch(() => null);
      await publication?.close();
      end();
    },
  };
}

function rowOf(publication: PublicationReader, question: KnownOfCompany): MatchedRow {
  const { verdict, candidates }: Match = matchCompany(publication, question);
  const [best] = candidates;
  if (verdict === 'none' || best === undefined)
    return { lei: null, name: null, verdict, score: best?.score ?? 0 };
  return { lei: best.lei, name: best.name, verdict, score: best.score };
}
