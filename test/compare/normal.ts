/** Answers without what differs from one run to the next, and the differences that remain. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
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

/** Publications, cursors and tags are named at random when data are loaded; the same name stands for the same one. */
const ids: readonly (readonly [string, RegExp])[] = [
  ['publication', /\d{8}T\d{6}Z-[0-9a-f]{8}/g],
  ['tag', /(?<=^ETag: )"[^"]+"/gm],
  ['cursor', /(?<=cursor=|"next":")[\w.~-]{16,}/g],
];

function headText({ head }: Answered): string {
  return head.join('\n');
}

/** Latin 1 keeps every byte. */
function bodyText(answer: Answered): string {
  return answer.body.toString('latin1');
}

function replaceChance(text: string): string {
  return chance.reduce((changed, [pattern, stand]) => changed.replace(pattern, stand), text);
}

/** The status tells for how long the service has run, and its length and tag follow from its body. */
function settleStatus(answer: Named): Named {
  if (!answer.body.includes('"uptimeSeconds"') && !/status/.test(answer.name)) return answer;
  const head = answer.head.map((line) => line.replace(/^(Content-Length|ETag): .*$/i, '$1: …'));
  return { ...answer, head };
}

/** What two services over copies of one data folder must have in common. */
export function withoutChance(answer: Named): Named {
  const settled = settleStatus(answer);
  const head = replaceChance(headText(settled)).split('\n');
  if (/^(?:br|gzip|zstd)$/.test(headerOf(answer, 'Content-Encoding'))) return { ...settled, head };
  return { ...settled, head, body: Buffer.from(replaceChance(bodyText(settled)), 'latin1') };
}

/** What two services must have in common, each of which has loaded the same files. */
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

const decoders: Readonly<Record<string, (coded: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: (coded) => Buffer.from(Bun.zstdDecompressSync(coded)),
};

/** The body as it was before it was coded; the length of a coded body depends on the ids in it. */
function decoded(answer: Named): Named {
  const decode = decoders[headerOf(answer, 'Content-Encoding')];
  if (decode === undefined) return answer;
  const head = answer.head.map((line) => line.replace(/^(Content-Length): .*$/i, '$1: …'));
  return { ...answer, head, body: answer.body.length === 0 ? answer.body : decode(answer.body) };
}

/** A line or more for each answer that is not the same, by its name. */
export function differences(before: readonly Named[], after: readonly Named[]): string[] {
  const lines = before.flatMap((answer, index) => {
    const other = after[index];
    if (other === undefined) return [`- ${answer.name}: was not asked`];
    if (other.name !== answer.name) return [`- ${answer.name}: asked for as ${other.name}`];
    const found = [...headDifference(answer, other), ...bodyDifference(answer, other)];
    return found.length === 0 ? [] : [`- ${answer.name}\n    ${found.join('\n    ')}`];
  });
  const more = after.slice(before.length).map(({ name }) => `- ${name}: was not asked before`);
  return [...lines, ...more];
}

function headDifference(before: Named, after: Named): string[] {
  const gone = before.head.filter((line) => !after.head.includes(line));
  const come = after.head.filter((line) => !before.head.includes(line));
  if (gone.length === 0 && come.length === 0 && headText(before) !== headText(after))
    return ['its headers come in another order'];
  return [...gone.map((line) => `was ${line}`), ...come.map((line) => `is  ${line}`)];
}

/** Characters shown on either side of the first that differs. */
const context = 60;

function bodyDifference(before: Named, after: Named): string[] {
  if (before.body.equals(after.body)) return [];
  const [was, is] = [before.body.toString(), after.body.toString()];
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - context), at + context));
  return [`body differs at ${at}: was ${around(was)}`, `  is ${around(is)}`];
}
