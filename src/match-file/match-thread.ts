/** Runs in a thread that matches rows: it keeps the publication open and answers batch by batch. */
import { ExpectedFailure, placeOf } from '../errors.ts';
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

/** From the thread, one for each batch, in order. */
export type MatchNews =
  | { readonly news: 'matched'; readonly rows: readonly MatchedRow[] }
  /** @see ExpectedFailure for the code; null for a bug, whose message says where it is */
  | { readonly news: 'failed'; readonly code: string | null; readonly message: string };

/** @returns the function to call with each task */
export function matchThread(
  opening: Promise<PublicationReader>,
  tell: (news: MatchNews) => void,
  end: () => void,
): (task: MatchTask) => Promise<void> {
  // A failure to open is reported when the first task needs the publication.
  opening.catch(() => {});
  return async (task) => {
    if (task.task === 'end') {
      const publication = await opening.catch(() => null);
      await publication?.close();
      end();
      return;
    }
    try {
      const publication = await opening;
      tell({ news: 'matched', rows: task.questions.map((question) => rowOf(publication, question)) });
    } catch (error) {
      tell(failureOf(error));
    }
  };
}

function failureOf(error: unknown): MatchNews {
  if (error instanceof ExpectedFailure) return { news: 'failed', code: error.code, message: error.message };
  return { news: 'failed', code: null, message: placeOf(error) };
}

function rowOf(publication: PublicationReader, question: KnownOfCompany): MatchedRow {
  const { verdict, candidates }: Match = matchCompany(publication, question);
  const [best] = candidates;
  if (verdict === 'none' || best === undefined)
    return { lei: null, name: null, verdict, score: best?.score ?? 0 };
  return { lei: best.lei, name: best.name, verdict, score: best.score };
}
