/** Removes from answers what differs between two runs of the same code. */
import { decoderOf } from '../support/decoders.ts';
import type { Answered } from './connection.ts';
import { headerOf } from './connection.ts';

export interface Named extends Answered {
  readonly name: string;
}

/** Dates, random names and times of a run, which no two runs of the same code share. */
const chance: readonly (readonly [RegExp, string])[] = [
  [/^Date: .*$/gim, 'Date: …'],
  [/\b[0-9a-f]{12}-\d+\b/g, 'request-id'],
  [/"uptimeSeconds":\d+/g, '"uptimeSeconds":0'],
  [/name="form" value="[^"]*"/g, 'name="form" value="…"'],
  [/lei_live_\w{20,}/g, 'lei_live_…'],
];

/**
 * Publications, cursors and tags get random names when data are loaded; the same name always stands for the same one.
 */
const ids: readonly (readonly [string, RegExp])[] = [
  ['publication', /\d{8}T\d{6}Z-[0-9a-f]{8}/g],
  ['tag', /(?<=^ETag: )"[^"]+"/gm],
  ['cursor', /(?<=cursor=|"next":")[\w.~-]{16,}/g],
];

export function headText({ head }: Answered): string {
  return head.join('\n');
}

/** Latin 1 keeps every byte. */
function bodyText(answer: Answered): string {
  return answer.body.toString('latin1');
}

function replaceChance(text: string): string {
  return chance.reduce((changed, [pattern, stand]) => changed.replace(pattern, stand), text);
}

/** The status contains the uptime of the service, which also changes its length and tag. */
function settleStatus(answer: Named): Named {
  if (!answer.body.includes('"uptimeSeconds"') && !/status/.test(answer.name)) return answer;
  const head = answer.head.map((line) => line.replace(/^(Content-Length|ETag): .*$/i, '$1: …'));
  return { ...answer, head };
}

/** Removes what differs between two services over copies of one data folder. */
export function withoutChance(answer: Named): Named {
  const settled = settleStatus(answer);
  const head = replaceChance(headText(settled)).split('\n');
  if (/^(?:br|gzip|zstd)$/.test(headerOf(answer, 'Content-Encoding'))) return { ...settled, head };
  const body = Buffer.from(replaceChance(bodyText(settled)), 'latin1');
  return { ...settled, head: head.map((line) => relength(line, answer.body.length, body.length)), body };
}

/** The number in a request id grows over a run, and with it the length of the body that contains it. */
function relength(line: string, before: number, after: number): string {
  return line.toLowerCase() === `content-length: ${before}` ? `Content-Length: ${after}` : line;
}

/** Removes what differs between two services that have each loaded the same files. */
export function withoutIds(answers: readonly Named[]): Named[] {
  const known = new Map<string, Map<string, string>>();
  const renamed = (text: string) =>
    ids.reduce(
      (changed, [kind, pattern]) =>
        changed.replace(pattern, (id) => {
          const same = known.get(kind) ?? new Map<string, string>();
          known.set(kind, same);
          const name = same.get(id) ?? `${kind}-${same.size}`;
          same.set(id, name);
          return name;
        }),
      text,
    );
  return answers.map((answer) => {
    const { name, head, body } = withoutChance(decoded(answer));
    return {
      name,
      head: renamed(head.join('\n')).split('\n'),
      body: Buffer.from(renamed(body.toString('latin1')), 'latin1'),
    };
  });
}

/** The body before coding; the length of a coded body depends on the ids in it. */
function decoded(answer: Named): Named {
  const decode = decoderOf(headerOf(answer, 'Content-Encoding'));
  if (decode === null) return answer;
  const head = answer.head.map((line) => line.replace(/^(Content-Length): .*$/i, '$1: …'));
  return { ...answer, head, body: answer.body.length === 0 ? answer.body : decode(answer.body) };
}
