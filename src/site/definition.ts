/**
 * Defines the shape of a page that is made for each visit. A page is one such definition and an entry in
 * front/all-routes.ts: router, limits, policy and layout follow from it. Pages and files that never change are
 * {@link FileDefinition}s.
 */
import type { Static } from '@sinclair/typebox';
import type { Html } from '../html/html.ts';
import type { MadePage } from '../html/made-page.ts';
import type { HasRoomForPiece } from '../http/bodies/budget.ts';
import { readMethods } from '../http/definition.ts';
import type { MetaSchema } from '../lei/answers.ts';
import type { MappingKind } from '../lei/identifier-kinds.ts';
import type { SearchAnswerSchema, SearchHitSchema, SuggestAnswerSchema } from '../lei/list-answers.ts';
import type { MatchAnswerSchema } from '../lei/match-answers.ts';
import type {
  ChildrenPageQuestion,
  CompanyPageQuestion,
  HistoryPageQuestion,
  SiteAddress,
} from '../protocol/ext-questions.ts';
import type { Question } from '../protocol/questions.ts';

/** The `data` of the answers that pages ask for, by kind of question. It is the same as in the API's answers. */
export interface DataOf extends Record<MappingKind, IdentifierData> {
  search: Static<typeof SearchAnswerSchema>;
  list: ListData;
  suggest: Static<typeof SuggestAnswerSchema>;
  match: Static<typeof MatchAnswerSchema>;
}

/** The members that pages read of a list. */
interface ListData {
  readonly total: number;
  readonly items: readonly Omit<Static<typeof SearchHitSchema>, 'score'>[];
}

/** The members that pages read of the answer for an identifier. */
interface IdentifierData {
  entities: readonly { lei: string; name: string | null }[];
}

/** An answer to a question of a page. If the service can't answer, it ends the visit itself with a 503 page. */
export type DataAnswer<Kind extends keyof DataOf> = DataAnswerAs<DataOf[Kind]>;

/** @template Data the form in which the page gets the data */
export type DataAnswerAs<Data> =
  | {
      readonly outcome: 'found';
      readonly data: Data;
      /** Cursor of the next page, to be passed as `cursor`; null on the last page. */
      readonly next: string | null;
      /** The same of the page before; '' if that is the first one, null if there is none or it is not known. */
      readonly previous: string | null;
      /** As in the API's envelope. */
      readonly meta: Static<typeof MetaSchema>;
    }
  /** `detail` is a more precise reason; absent if nothing was found at all. */
  | { readonly outcome: 'not-found'; readonly detail?: string }
  | { readonly outcome: 'invalid'; readonly parameter: string; readonly detail: string }
  /** The cursor was altered, belongs to another question, or to a publication that is gone. */
  | { readonly outcome: 'bad-cursor' };

/** The position at which a list continues. */
export interface ReadOn {
  /** As an earlier answer gave it; null for the first page. */
  readonly cursor: string | null;
  /** Everything about the question except the cursor: a cursor is valid for this text only. */
  readonly scope: string;
}

/** The facts of a visit to a page. */
export interface VisitFacts extends SiteAddress {
  readonly request: Request;
  /** LEI_BASE_URL, without a trailing slash; null if it is not set. */
  readonly publicUrl: string | null;
  /** The named parts of the pattern in the path, percent-decoded. */
  readonly places: Readonly<Record<string, string>>;
  /** As in the request, still percent-encoded. */
  readonly path: string;
  /** The query string. */
  readonly query: URLSearchParams;
  /** The socket's peer. */
  readonly peer: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Asks for the content of a page. */
export type MadeQuestion = CompanyPageQuestion | ChildrenPageQuestion | HistoryPageQuestion;

/** One visit to a page, which may ask questions. */
export interface Visit extends VisitFacts {
  /** Asks a query thread as the API would. Only a counted definition may ask. */
  ask<Kind extends keyof DataOf>(question: Question & { readonly kind: Kind }): Promise<DataAnswer<Kind>>;
  /** The same as `ask` for a page that passes the data on: as JSON, which nobody parses. */
  askJson(question: Question): Promise<DataAnswerAs<Uint8Array<ArrayBuffer>>>;
  /** The same from a position on. @param question makes the question for a position; null for the beginning */
  askPage<Kind extends keyof DataOf>(
    question: (after: string | null) => Question & { readonly kind: Kind },
    readOn: ReadOn,
  ): Promise<DataAnswer<Kind>>;
  /** The same for content that a query thread makes. @param readOn left out for a question without an `after` */
  askMade(question: (after: string | null) => MadeQuestion, readOn?: ReadOn): Promise<DataAnswerAs<MadePage>>;
}

/** A page in the common layout. */
export interface ShownPage {
  /** 200 by default. */
  readonly status?: number;
  /** The title of the browser's window. */
  readonly title: string;
  readonly content: Html;
  /** The canonical address of the page, if several addresses lead to it. */
  readonly canonical?: string;
  /** Scripts of the client folder, such as `home/suggest.js`; each is loaded as a module. */
  readonly scripts?: readonly string[];
  /** Style sheets of the client folder in addition to the common one. */
  readonly styles?: readonly string[];
  /** Links to other style sheets, in place of the common one. */
  readonly ownSheets?: Html;
  /** Path of the navigation entry for the page; by default the page's own. */
  readonly entry?: string;
  /** Whether search engines should ignore the page. */
  readonly noindex?: boolean;
  /** Whether its reader is signed in, which only the pages of accounts know. */
  readonly signedIn?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Finished bytes with their type. */
export interface FinishedFile {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file or a page that never changes, at a path of its own. */
export interface FileDefinition {
  /** As in {@link PageDefinition}. */
  readonly path: string;
  /** Tells the files of one path apart, by the named parts of the path; absent if there is one. */
  version?(places: Visit['places']): string;
  /** As in {@link PageDefinition}. */
  readonly policy?: Readonly<Record<string, string>>;
  /** Called once for each version. */
  make(version: string): FinishedFile | ShownPage;
}

/** The answer to a visit that is not in the common layout: data for a script, a download, a redirect. */
export interface SentPage extends FinishedFile {
  readonly status: number;
}

export type PageAnswer = ShownPage | SentPage;

export interface PageDefinition {
  /** Path from the root, without the base path; `{name}` stands for one segment. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[];
  /**
   * The cost of the visit to its client, in units of LEI_PAGES_BURST and LEI_PAGES_DAILY; 0 for a visit that asks for no
   * data.
   */
  units(visit: Pick<Visit, 'request' | 'query'>): number;
  /** Whether the units count for LEI_PAGES_DAILY too. */
  readonly countsForDay: boolean;
  /** Whether the answer is for its reader only: no cache keeps it, and no script of another site may read it. */
  readonly personal: boolean;
  /** Directives of the Content-Security-Policy, which replace the common ones of the same name. */
  readonly policy?: Readonly<Record<string, string>>;
  /**
   * Reads what is sent by POST, before it is counted, because its cost depends on it. Without this function a POST is
   * counted and answered as any other visit. It never rejects for what a client did.
   */
  readForm?(visit: VisitFacts, hasRoom: HasRoomForPiece): Promise<SentForm>;
  /** HEAD is answered as GET; the server leaves the body out. */
  answer(visit: Visit): PageAnswer | Promise<PageAnswer>;
}

/** A form that was read: its cost, and its answer. */
export interface SentForm {
  /** As of {@link PageDefinition.units}. */
  readonly units: number;
  /** Called again if the data was swapped meanwhile. */
  answer(visit: Visit): PageAnswer | Promise<PageAnswer>;
}

/** The members of most pages: everybody may read them, and each visit costs one unit. */
export const dataPage = {
  methods: readMethods,
  units: () => 1,
  countsForDay: true,
  personal: false,
} as const;

/** Units of the pages that show more than one list of results does; decision 140 has the reasons. */
export const pageUnits = { record: 5, longList: 5, history: 2, group: 2 } as const;

/** @param data finished JSON as bytes */
export function json(data: object | Uint8Array<ArrayBuffer>, status = 200): SentPage {
  const body = data instanceof Uint8Array ? data : JSON.stringify(data);
  return { status, contentType: 'application/json', body };
}

/** The answer after a form: a redirect to another page of the service. @param path below the base path */
export function redirect(
  { basePath }: Pick<SiteAddress, 'basePath'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): SentPage {
  return {
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: { ...headers, Location: `${basePath}${path}` },
  };
}

/** The answer at another spelling of an address: it leads to `path`, with the same query. @param path below the base path */
export function movedTo(path: string, visit: Pick<VisitFacts, 'basePath' | 'query'>): SentPage {
  const search = visit.query.size === 0 ? '' : `?${visit.query.toString()}`;
  return { ...redirect(visit, `${path}${search}`), status: 308 };
}
