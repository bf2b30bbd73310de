/** Runs in a thread that matches rows: it keeps the publication open and answers batch by batch. */
import type { KnownOfCompany } from '../protocol/ext-questions.ts';
import { type Match, matchCompany, type Verdict } from '../query/match.ts';
import type { PublicationReader } from '../store/publication-reader.ts';

/** To the thread. */
export type MatchTask =
  | { readonly task: 'match'; readonly questions: readonly KnownOfCompany[] }
  | { readonly task: 'end' };

/** What is added to a row. LEI and name are those of the best candidate, and null if the verdict is `none`. */
export interface MatchedRow {
  readonly lei: string | null;
  readonly name: string | null;
  readonly verdict: Verdict;
  /** 0 if there is no candidate. */
  readonly score: number;
}

/** @returns the function to call with each task */
export function matchThread(
  opening: Promise<PublicationReader>,
  end: () => void,
): (task: MatchTask) => Promise<readonly MatchedRow[] | undefined> {
  // A failure to open is reported when the first task needs the publication.
  opening.catch(() => {});
  return async (task) => {
    if (task.task === 'end') {
      const publication = await opening.catch(() => null);
      await publication?.close();
      end();
      return undefined;
    }
    const publication = await opening;
    return task.questions.map((question) => rowOf(publication, question));
  };
}

function rowOf(publication: PublicationReader, question: KnownOfCompany): MatchedRow {
  const { verdict, candidates }: Match = matchCompany(publication, question);
  const [best] = candidates;
  if (verdict === 'none' || best === undefined)
    return { lei: null, name: null, verdict, score: best?.score ?? 0 };
  return { lei: best.lei, name: best.name, verdict, score: best.score };
}
