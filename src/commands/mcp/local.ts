/** Answers calls from the active publication on this machine's disk, without a service and without quotas. */
import type { Config } from '../../config.ts';
import { type CursorSeal, createCursorSeal } from '../../http/cursor.ts';
import { faultsDetail } from '../../http/problem.ts';
import { answerMeta } from '../../http/publication-texts.ts';
import {
  type CheckedCall,
  checkCall,
  type ToolAnswer,
  type ToolSource,
  wrongCursor,
} from '../../mcp/call.ts';
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
  { asked, identifier, scope }: CheckedCall,
  { manifest, reader }: HeldReader,
  config: Config,
): ToolAnswer {
  const { id } = manifest;
  const cursor = asked.cursor === null ? null : (cursors.open(asked.cursor, scope) ?? 'wrong');
  if (cursor === 'wrong') return { ok: false, message: wrongCursor };
  if (cursor !== null && cursor.publicationId !== id) {
    return {
      ok: false,
      message: 'The cursor belongs to another dataset version. Start again without a cursor.',
    };
  }
  const question = asked.question(identifier, cursor?.position ?? null, { id, baseUrl: config.baseUrl });
  const told = answerQuestion(reader, asText(question));
  if (told.outcome !== 'found') return refusal(told, identifier, id);
  return {
    ok: true,
    data: JSON.parse(Buffer.from(told.data).toString('utf8')),
    meta: answerMeta(config, manifest, told.notices),
    next: told.next === null ? null : cursors.seal({ publicationId: id, position: told.next }, scope),
  };
}

/** The data is the client's own, so the seal keeps no secret: it only tells the cursors of other calls. */
const cursors: CursorSeal = createCursorSeal(new Uint8Array(32));

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
