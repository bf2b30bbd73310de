/** How GLEIF's API answers: whole JSON:API documents from query threads, and errors as `{"errors":[…]}`. */
import { errorDocument, gleifMediaType, titleOf } from '../../gleif/faults.ts';
import type { Errors, FoundAnswer, ReadExchange, WithPublication } from '../../http/exchange.ts';
import type { ProblemDetails } from '../../http/problem.ts';
import { problemKinds } from '../../http/problem-kinds.ts';
import { errorResponse } from '../../http/representation/problems.ts';
import { type PublishedContent, PublishedRepresentation } from '../../http/respond.ts';
import type { StepParts } from '../../http/step.ts';
import { JsonBytes } from '../../protocol/json-bytes.ts';

export class JsonApiRepresentation extends PublishedRepresentation {
  /** One buffer for all bodies: a body is copied, or the buffer is handed over with it, before another is made. */
  readonly #buffer = new JsonBytes();

  constructor(parts: StepParts) {
    super(gleifMediaType, jsonApiErrors, parts);
  }

  answer({ publication, reading }: ReadExchange & WithPublication, { data }: FoundAnswer): PublishedContent {
    this.#buffer.begin(data.length);
    this.#buffer.block(data);
    const body = this.#buffer.bytes();
    return { body, buffer: this.#buffer, publication, tagged: reading.self, isDated: true, link: null };
  }

  /** Documents come in one piece. */
  inParts(): null {
    return null;
  }
}

const expiredDetail =
  'The page.cursor belongs to data that this service no longer keeps. Start again with page[cursor]=*.';

/** One error for each faulty parameter, otherwise one. */
const jsonApiErrors: Errors['problem'] = (exchange, details) =>
  errorResponse(details, exchange, gleifMediaType, errorsOf(details));

function errorsOf({ name, detail, errors = [] }: ProblemDetails): string {
  const { status } = problemKinds[name];
  const title = titleOf(status);
  if (name === 'expired-cursor')
    return errorDocument([{ status, title, detail: expiredDetail, parameter: 'page.cursor' }]);
  if (errors.length === 0) return errorDocument([{ status, title, detail }]);
  return errorDocument(
    errors.map((fault) => ({ status, title, detail: fault.detail, parameter: fault.parameter })),
  );
}
