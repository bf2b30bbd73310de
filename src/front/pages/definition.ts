/**
 * The shape of a page that is made for each visit. A page is one such definition and a line in table.ts: router, limits,
 * policy and layout follow from it. Pages that never change are in site-pages.ts and problem-pages.ts.
 */
import type { Static } from '@sinclair/typebox';
import type { MetaSchema } from '../../lei/answers.ts';
import type { CompanySchema } from '../../lei/company.ts';
import type { IdentifierKind } from '../../lei/identifier-kinds.ts';
import type { GroupAnswer, ParentsAnswer } from '../../lei/page-answers.ts';
import type { CompanyRelationshipsSchema } from '../../lei/relationship.ts';
import type { Question } from '../../protocol/questions.ts';
import type { ChangesAnswerSchema } from '../endpoints/changes.ts';
import type { ChildrenPageSchema } from '../endpoints/ext/children.ts';
import type { OwnershipAnswerSchema } from '../endpoints/ext/ownership.ts';
import type { SuggestAnswerSchema } from '../endpoints/ext/suggest.ts';
import type { SearchAnswerSchema } from '../endpoints/search.ts';
import type { Html } from './html.ts';

/** The `data` of the answers that pages ask for, by kind of question. The API's answers have the same. */
export interface DataOf extends Record<IdentifierKind, IdentifierData> {
  company: Static<typeof CompanySchema>;
  relationships: Static<typeof CompanyRelationshipsSchema>;
  changes: Static<typeof ChangesAnswerSchema>;
  search: Static<typeof SearchAnswerSchema>;
  suggest: Static<typeof SuggestAnswerSchema>;
  ownership: Static<typeof OwnershipAnswerSchema>;
  children: Static<typeof ChildrenPageSchema>;
  parents: ParentsAnswer;
  group: GroupAnswer;
}

/** What pages need of the answer for an identifier. */
interface IdentifierData {
  entities: readonly { lei: string; name: string | null }[];
}

/** An answer to a question of a page. A service that can't answer ends the visit with a 503 page by itself. */
export type Told<Kind extends keyof DataOf> =
  | {
      readonly outcome: 'found';
      readonly data: DataOf[Kind];
      /** Cursor of the next page, to be given as `cursor`; null on the last page. */
      readonly next: string | null;
      /** As in the API's envelope. */
      readonly meta: Static<typeof MetaSchema>;
    }
  /** `detail` says why, where more is known than that there is nothing. */
  | { readonly outcome: 'not-found'; readonly detail?: string }
  | { readonly outcome: 'invalid'; readonly parameter: string; readonly detail: string }
  /** The cursor was altered, belongs to another question, or to a publication that is gone. */
  | { readonly outcome: 'bad-cursor' };

/** Where a list is read on. */
export interface ReadOn {
  /** As an earlier answer gave it; null for the first page. */
  readonly cursor: string | null;
  /** Everything about the question but the cursor: a cursor is good for this text only. */
  readonly scope: string;
}

/** One visit to a page. */
export interface Visit {
  readonly request: Request;
  /** The parts of the path that the pattern names, percent-decoded. */
  readonly places: Readonly<Record<string, string>>;
  /** The query string. */
  readonly query: URLSearchParams;
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** The socket's peer. */
  readonly peer: string;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * Asks a query thread what the API would ask. Only a definition that is counted may ask.
   * @param readOn for questions with an `after`: makes the question for a position
   */
  ask<Kind extends keyof DataOf>(question: Question & { readonly kind: Kind }): Promise<Told<Kind>>;
  askPage<Kind extends keyof DataOf>(
    question: (after: string | null) => Question & { readonly kind: Kind },
    readOn: ReadOn,
  ): Promise<Told<Kind>>;
}

/** A page in the common layout. */
export interface Shown {
  /** 200 where it is not given. */
  readonly status?: number;
  /** Of the browser's window. */
  readonly title: string;
  readonly content: Html;
  /** The public address of the page, where others lead to the same. */
  readonly canonical?: string;
  /** Scripts of the client folder, as `home/suggest.js`; each is loaded as a module. */
  readonly scripts?: readonly string[];
  /** Style sheets of the client folder beside the common one. */
  readonly styles?: readonly string[];
  /** Path of the entry of the navigation that leads here; by default the page's own. */
  readonly entry?: string;
  /** Whether the page has the room of the whole window. */
  readonly wide?: boolean;
  /** Whether search engines leave the page alone. */
  readonly noindex?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Anything else: data for a script, a download, a redirect. */
export interface Sent {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type PageAnswer = Shown | Sent;

export interface PageDefinition {
  /** Path from the root, without the base path; `{name}` stands for one segment. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[];
  /** Whether the visit asks for data. It then costs its client one unit of LEI_PAGES_BURST. */
  counted(request: Request): boolean;
  /** Whether the answer is for its reader alone: no cache keeps it, and no script of another site may read it. */
  readonly personal: boolean;
  /** Directives of the Content-Security-Policy, in place of the common ones of their names. */
  readonly policy?: Readonly<Record<string, string>>;
  /** HEAD is answered as GET; the server leaves the body out. */
  answer(visit: Visit): PageAnswer | Promise<PageAnswer>;
}

export const readingMethods = ['GET', 'HEAD'] as const;

/** After a form: leads to another page of the service. @param path below the base path */
export function redirect(
  basePath: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Sent {
  return {
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: { ...headers, Location: `${basePath}${path}` },
  };
}
