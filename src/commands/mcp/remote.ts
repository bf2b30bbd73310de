/**
 * Asks a service over HTTP, within its quotas: after a refusal it asks nothing until the time that the service named.
 */

import type { DataEndpoint } from '../../api/endpoint.ts';
import { reasonOf } from '../../errors.ts';
import { timestamp } from '../../lei/dates.ts';
import { checkCall, type ToolAnswer, type ToolSource } from '../../mcp/call.ts';
import { type RemoteReply, readReply, toolAnswerOf } from '../../mcp/reply.ts';

/** The longest wait for a service's answer. */
const answerMsMax = 30_000;

interface RemoteParts {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  /** Null for the anonymous quota. */
  readonly key: string | null;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

type Window = DataEndpoint['cost']['window'];

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
    return readReply(response);
  };
  return {
    async call(endpoint, given) {
      const check = checkCall(endpoint, given);
      if (!check.ok) return check;
      const { address } = check.call;
      const { window } = endpoint.cost;
      const pause = pauses.get(window);
      if (pause !== undefined && pause.until > clock()) return paused(pause, clock());
      let reply: RemoteReply;
      try {
        reply = await get(address);
      } catch (error) {
        return { ok: false, message: `${url} can't be reached: ${reasonOf(error)}` };
      }
      const answer = toolAnswerOf(reply, url);
      const until = comeBackAt(reply.response, clock());
      if (answer.ok || until === null) return answer;
      const refused = { until, reason: answer.message };
      for (const each of refusedWindows(reply, window)) pauses.set(each, refused);
      return paused(refused, clock());
    },
    close: async () => undefined,
  };
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
