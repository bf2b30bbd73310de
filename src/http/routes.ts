/**
 * Defines a row of the one table of routes. The server's routers get all rows and match paths; nothing else does. Nearly
 * all rows are of three kinds: data routes (data-route.ts), which one question answers; task routes (task-route.ts), which
 * read a request first and ask any number of questions; and the pages' routes (site/page-route.ts).
 */
import type { Arrival, Reply } from './exchange.ts';

/** The parts `{name}` of a path, percent-decoded. Bytes that are not UTF-8 are U+FFFD. */
export type PathParameters = Readonly<Record<string, string>>;

export interface Route {
  /** Path from the root; `{name}` stands for one segment that is not empty. */
  readonly path: string;
  /** True if the parameters make it an unknown address. */
  isOther?(parameters: PathParameters): boolean;
  /** Answers a request of any method. */
  answer(arrival: Arrival, parameters: PathParameters): Reply;
}
