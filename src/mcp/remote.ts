/**
 * Asks a service over HTTP, within its quotas: after a refusal it asks nothing until the time that the service named.
 */
import { reasonOf } from '../errors.ts';
import { timestamp } from '../lei/dates.ts';
import type { ToolAnswer, ToolCall, ToolSource } from './call.ts';

/** The longest wait for a service's answer. */
const answerMsMax = 30_000;
/** A larger answer of a service is not read. */
const answerBytesMax = 16 * 1024 * 1024;

interface RemoteParts {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  /** Null for the anonymous quota. */
  readonly key: string | null;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

type Window = ToolCall['endpoint']['cost']['window'];

/** A refusal that is still in force. */
interface RefusalInForce {
  readonly until: number;
  readonly reason: string;
}

export function remoteSource({ url, key, clock = Date.now }: RemoteParts): ToolSource {
  const pauses = new Map<Window, RefusalInForce>();
  const headers = { Accept: 'application/json', ...(key === null ? {} : { Authorization: `Bearer ${key}` }) };
  const get = async (address: string): Promise<RemoteReply> => {
    const signal = AbortSignal.timeout(answerMsMax);
    // A redirect could carry the key to another host.
    const response = await fetch(url + address, { headers, signal, redirect: 'error' });
    return { response, body: parsed(await textOf(response)) };
  };
  return {
    async ask({ endpoint, address }) {
      const { window } = endpoint.cost;
      const pause = pauses.get(window);
      if (pause !== undefined && pause.until > clock()) return paused(pause, clock());
      let reply: RemoteReply;
      try {
        reply = await get(address);
      } catch (error) {
        return { ok: false, message: `${url} can't be reached: ${reasonOf(error)}` };
      }
      const told = toldBy(reply, url);
      const until = comeBackAt(reply.response, clock());
      if (told.ok || until === null) return told;
      const refused = { until, reason: told.message };
      for (const each of refusedWindows(reply, window)) pauses.set(each, refused);
      return paused(refused, clock());
    },
    close: async () => undefined,
  };
}

interface RemoteReply {
  readonly response: Response;
  /** The members of the body; none if it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

async function textOf(response: Response): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > answerBytesMax) throw new Error('its answer is too large');
  return response.text();
}

function parsed(text: string): RemoteReply['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return Object.fromEntries(Object.entries(value ?? {}));
  } catch {
    return {};
  }
}

function toldBy({ response, body }: RemoteReply, url: string): ToolAnswer {
  const { data, meta, links, detail } = body;
  if (response.ok && data !== undefined) {
    return { ok: true, data, meta, next: nextIn(links) };
  }
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

/** Epoch milliseconds at which a refused request may be sent again; null if waiting changes nothing. */
function comeBackAt({ status, headers }: Response, now: number): number | null {
  const seconds = Number(headers.get('retry-after') ?? 'none');
  return (status === 429 || status === 503) && seconds >= 0 ? now + seconds * 1000 : null;
}

/** All operations share the daily quota, and a service that can't answer can't answer any. */
function refusedWindows({ response, body }: RemoteReply, window: Window): readonly Window[] {
  const violated = body['violatedPolicies'];
  const isOfAll = response.status === 503 || (Array.isArray(violated) && violated.includes('daily'));
  return isOfAll ? ['lookup', 'search'] : [window];
}

function paused({ until, reason }: RefusalInForce, now: number): ToolAnswer {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return {
    ok: false,
    message: `${reason} Try again in ${seconds} s, at ${timestamp(new Date(until))}; until then the service is not asked.`,
  };
}
