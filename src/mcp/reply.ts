/** Reads what an operation of the API answered over HTTP as the outcome of a call of a tool. */
import { type ToolAnswer, wrongCursor } from './call.ts';

/** A larger answer of a service is not read. */
const answerBytesMax = 16 * 1024 * 1024;

/** An answer of a service. */
export interface RemoteReply {
  readonly response: Response;
  /** The members of the body; none if it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads an answer whole, unless it announces more than {@link answerBytesMax}. */
export async function readReply(response: Response): Promise<RemoteReply> {
  return { response, body: parsed(await textOf(response)) };
}

async function textOf(response: Response): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > answerBytesMax) throw new Error('its answer is too large');
  // Not `text()`: a body of a route that has not gone to a socket frees its bytes before that reads them (`wholeBody`).
  return Buffer.from(await response.arrayBuffer()).toString('utf8');
}

function parsed(text: string): RemoteReply['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return Object.fromEntries(Object.entries(value ?? {}));
  } catch {
    return {};
  }
}

/** @param url the service, for a message about an answer that is not one of the API */
export function toolAnswerOf({ response, body }: RemoteReply, url: string): ToolAnswer {
  const { data, meta, links, type, detail } = body;
  if (response.ok && data !== undefined) {
    return { ok: true, data, meta, next: nextIn(links) };
  }
  if (typeof type === 'string' && type.endsWith('/invalid-cursor'))
    return { ok: false, message: wrongCursor };
  if (typeof detail === 'string') return { ok: false, message: detail };
  return {
    ok: false,
    message: `${url} answered ${response.status} without a reason; it may not be a service of this kind.`,
  };
}

function nextIn(links: unknown): string | null {
  const next = typeof links === 'object' && links !== null && 'next' in links ? links.next : null;
  return typeof next === 'string' ? next : null;
}
