/** Makes the usual tasks, and reads the bodies that tasks come from. */
import { discarded, readRequestBody } from './bodies/request-body.ts';
import { invalidParameters, type ProblemDetails } from './problem.ts';
import type { Task, TaskOutcome } from './task-route.ts';

export function oneSearch(answer: Task['answer']): Task {
  return { window: 'search', units: 1, list: null, answer };
}

/** A faulty request. It costs one, like a faulty request to the API. */
function refused(problem: ProblemDetails): Task {
  return oneSearch(async () => ({ outcome: 'refused', problem }));
}

export function faulty(parameter: string, detail: string): Task {
  return refused(invalidParameters([{ parameter, detail }]));
}

/** Too many bodies are arriving. */
const busy: Task = {
  window: 'search',
  units: 0,
  list: null,
  answer: async (): Promise<TaskOutcome> => ({ outcome: 'unavailable', reason: 'queue-full', computed: 0 }),
};

interface BodyRules {
  /** Matches its media type, and the name of that for a message. */
  readonly type: RegExp;
  readonly typeName: string;
  readonly bytesMax: number;
  /** From its first byte to its last. */
  readonly msMax: number;
}

/** @param hasRoom receives the size of each arriving piece @returns the body's text, or the task that refuses it */
export async function readTaskBody(
  request: Request,
  { type, typeName, bytesMax, msMax }: BodyRules,
  hasRoom: (pieceBytes: number) => boolean,
): Promise<string | Task> {
  if (!type.test(request.headers.get('content-type') ?? '')) {
    return faulty('the body', `must be sent as ${typeName}`);
  }
  const body = await readRequestBody(request, {
    bytesMax,
    discardedBytesMax: discarded.bytesMax,
    msMax,
    hasRoom,
  });
  if (body.ok) return body.text;
  if (body.fault === 'no-room') return busy;
  if (body.fault === 'too-long') return faulty('the body', `must have at most ${bytesMax / 1024} KiB`);
  return faulty('the body', `must arrive whole, within ${msMax / 1000} seconds`);
}
