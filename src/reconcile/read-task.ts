/** Parses a request to the reconciliation service into a task. */
import type { Config } from '../config.ts';
import { queryOf } from '../http/address.ts';
import type { Task } from '../http/task-route.ts';
import { faulty, readTaskBody } from '../http/tasks.ts';
import type { ReconcileTarget } from './addresses.ts';
import { extendTask, proposalTask } from './extend.ts';
import { manifest } from './manifest.ts';
import { previewTask } from './preview.ts';
import { queriesTask } from './queries.ts';
import { flyoutTask, suggestTask } from './suggest.ts';
import { type Client, reconcileLimits, statically } from './task.ts';

/** @param hasRoom receives the size of each arriving piece of a body */
export async function readTask(
  request: Request,
  asks: ReconcileTarget,
  config: Config,
  client: Client,
  hasRoom: (pieceBytes: number) => boolean,
): Promise<Task> {
  const parameters = new URLSearchParams(queryOf(request.url));
  if (parameters.has('callback')) {
    return faulty(
      'callback',
      'is not supported: this service allows every origin by CORS, so JSONP is not needed',
    );
  }
  switch (asks.target) {
    case 'root':
      return request.method === 'POST' ? posted(request, hasRoom) : rootTask(parameters, config, client);
    case 'preview':
      return previewTask(parameters);
    case 'properties':
      return proposalTask(parameters);
    case 'suggest':
      return suggestTask(asks.of, parameters);
    case 'flyout':
      return flyoutTask(asks.of, parameters);
  }
}

const { bodyBytesMax, bodyMsMax, fieldsMax } = reconcileLimits;

const bodyRules = {
  type: /^application\/x-www-form-urlencoded\s*(;|$)/i,
  typeName: 'application/x-www-form-urlencoded',
  bytesMax: bodyBytesMax,
  msMax: bodyMsMax,
} as const;

async function posted(request: Request, hasRoom: (pieceBytes: number) => boolean): Promise<Task> {
  const body = await readTaskBody(request, bodyRules, hasRoom);
  return typeof body === 'string' ? postedForm(body) : body;
}

/** Counts the fields first: tens of thousands of them would take a front tens of milliseconds. */
function postedForm(text: string): Task {
  const fields = text.split('&', fieldsMax + 1);
  return fields.length <= fieldsMax
    ? formTask(new PostedForm(fields))
    : faulty('the body', `must have at most ${fieldsMax} fields`);
}

/** What a task is read from: the address of a GET, or a form. */
type TaskFields = Pick<URLSearchParams, 'getAll' | 'has'>;

/** A form whose values are decoded when they are read. `URLSearchParams` takes a front a millisecond for 76 kB. */
export class PostedForm implements TaskFields {
  readonly #fields: readonly string[];
  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  getAll(wanted: string): string[] {
    return this.#fields.flatMap((field) => {
      const [name = ''] = field.split('=', 1);
      return decoded(name) === wanted ? [decoded(field.slice(name.length + 1))] : [];
    });
  }

  has(wanted: string): boolean {
    return this.getAll(wanted).length > 0;
  }
}

/** As `URLSearchParams` does it, which also reads what is not percent-encoded UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return new URLSearchParams(`=${text}`).get('') ?? '';
  }
}

/** GET returns the manifest if nothing is asked. */
function rootTask(parameters: URLSearchParams, config: Config, client: Client): Task {
  const asksNothing = !['queries', 'extend', 'query'].some((name) => parameters.has(name));
  return asksNothing ? statically(0, () => manifest(config, client)) : formTask(parameters);
}

/** OpenRefine and the other clients of version 0.2 send batches only. */
const singleQuery =
  '; query belongs to version 0.1, and version 0.2 takes a batch of one: queries={"q0":{"query":"…"}}';

function formTask(parameters: TaskFields): Task {
  const [queries, ...moreQueries] = parameters.getAll('queries');
  const [extend, ...moreExtends] = parameters.getAll('extend');
  if (moreQueries.length > 0) return faulty('queries', 'must be given only once');
  if (moreExtends.length > 0) return faulty('extend', 'must be given only once');
  if (queries !== undefined && extend !== undefined)
    return faulty('extend', 'must not be sent together with queries');
  if (queries !== undefined) return queriesTask(queries);
  if (extend !== undefined) return extendTask(extend);
  const single = parameters.has('query') ? singleQuery : '';
  return faulty('queries', `is required, or extend${single}`);
}
