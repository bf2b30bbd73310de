/** Answers calls from the active publication on this machine's disk, without a service and without quotas. */
import type { Config } from '../../config.ts';
import { faultsDetail } from '../../http/problem.ts';
import { answerMeta } from '../../http/publication-texts.ts';
import { type CheckedCall, checkCall, type ToolAnswer, type ToolSource } from '../../mcp/call.ts';
import type { Answer, Question } from '../../protocol/questions.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { answerQuestion } from '../../query/answer-question.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';

interface LocalParts {
  readonly config: Config;
  /** The active publication. Throws a failure for users if there is none. */
  readonly active: () => Manifest;
  readonly open: (id: string) => Promise<PublicationReader>;
}

interface HeldReader {
  readonly manifest: Manifest;
  readonly reader: PublicationReader;
}

/** Follows the active publication: each call is answered from the one that is then active. */
export function localSource({ config, active, open }: LocalParts): ToolSource {
  let holding: Promise<HeldReader | null> = Promise.resolve(null);
  const follow = async (before: Promise<HeldReader | null>): Promise<HeldReader> => {
    const held = await before.catch(() => null);
    const manifest = active();
    if (held !== null && held.manifest.id === manifest.id) return held;
    const reader = await open(manifest.id);
    await held?.reader.close();
    return { manifest, reader };
  };
  return {
    async call(endpoint, given) {
      const check = checkCall(endpoint, given);
      if (!check.ok) return check;
      const held = follow(holding);
      holding = held;
      return answer(check.call, await held, config);
    },
    async close() {
      await (await holding.catch(() => null))?.reader.close();
    },
  };
}

function answer(
  { asked, identifier }: CheckedCall,
  { manifest, reader }: HeldReader,
  config: Config,
): ToolAnswer {
  const { id } = manifest;
  const position = positionIn(asked.cursor, id);
  if (position === undefined) {
    return {
      ok: false,
      message: 'The cursor belongs to another dataset version, or was changed. Start again without it.',
    };
  }
  const question = asked.question(identifier, position, { id, baseUrl: config.baseUrl });
  const told = answerQuestion(reader, asText(question));
  if (told.outcome !== 'found') return refusal(told, identifier, id);
  return {
    ok: true,
    data: JSON.parse(Buffer.from(told.data).toString('utf8')),
    meta: answerMeta(config, manifest, told.notices),
    next: told.next === null ? null : `${id}${separator}${Buffer.from(told.next).toString('base64url')}`,
  };
}

const separator = '~';

/** Null for the first page; undefined if the cursor does not belong to this publication. */
function positionIn(cursor: string | null, id: string): string | null | undefined {
  if (cursor === null) return null;
  const [of, position] = cursor.split(separator);
  return of === id && position !== undefined ? Buffer.from(position, 'base64url').toString() : undefined;
}

/** Operations ask everything except compression. */
function asText(question: Question) {
  if (question.kind === 'compress') throw new Error('An operation asked to compress.');
  return question;
}

function refusal(answer: Exclude<Answer, { outcome: 'found' }>, identifier: string, id: string): ToolAnswer {
  switch (answer.outcome) {
    case 'not-found':
      return {
        ok: false,
        message: answer.detail ?? `${identifier} was not found in dataset version ${id}.`,
      };
    case 'invalid':
      return { ok: false, message: faultsDetail([answer]) };
    default:
      return { ok: false, message: 'The answer took too long. Ask for something narrower.' };
  }
}
