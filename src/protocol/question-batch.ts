/**
 * Encodes questions as the text in which they cross to a query thread. Questions of one event-loop tick for one
 * publication share a text, so that the cost of a message is paid once per batch:
 *
 * ```
 * batch NUL publication NUL question NUL question …
 * ```
 *
 * An answer names its batch and the position of its question in it (answer-record.ts). Batch numbers repeat after 2³²
 * batches, so a late answer is recognised and dropped. A part never contains NUL: identifiers are checked, and query
 * texts have no control characters.
 */
import { byKind, identifierKinds, isIdentifierKind } from '../lei/identifier-kinds.ts';
import { isExtQuestion, leiQuestions, type TextQuestion } from './questions.ts';

const separator = '\0';
/** Represents null. No field ever has this text, because control characters are refused. */
const absent = '\u0001';

export interface QuestionBatch {
  readonly batch: number;
  readonly publicationId: string;
  readonly questions: readonly TextQuestion[];
}

/** The beginning of a batch. {@link joinQuestion} appends questions. */
export function openBatch(batch: number, publicationId: string): string {
  return batch + separator + publicationId;
}

export function joinQuestion(batch: string, question: TextQuestion): string {
  return batch + separator + encodeQuestion(question);
}

/**
 * The first character of a question of one text: a capital for a question with an LEI, another sign below the letters
 * for an identifier. All other questions begin with a small letter.
 */
const codes = {
  ...byKind(leiQuestions, (kind) => String.fromCharCode(0x41 + leiQuestions.indexOf(kind))),
  ...byKind(identifierKinds, (kind) => String.fromCharCode(0x30 + identifierKinds.indexOf(kind))),
};
const kindOf = new Map([...leiQuestions, ...identifierKinds].map((kind) => [codes[kind], kind]));

/** The part of a batch that is one question. */
function encodeQuestion(question: TextQuestion): string {
  switch (question.kind) {
    case 'changes':
      return `h${question.lei}${separator}${question.after ?? absent}${separator}${question.limit}`;
    case 'search': {
      const filters = `${question.country ?? absent}${separator}${question.status ?? absent}`;
      const page = `${question.after ?? absent}${separator}${question.limit}`;
      return `s${question.q}${separator}${filters}${separator}${page}`;
    }
    default:
      if (isExtQuestion(question)) return `e${JSON.stringify(question)}`;
      return codes[question.kind] + ('lei' in question ? question.lei : question.value);
  }
}

/** Reads a batch of questions. Throws only for a bug of the sender. */
export function decodeBatch(message: string): QuestionBatch {
  const parts = message.split(separator);
  const reader = partReader(parts, 2);
  const questions: TextQuestion[] = [];
  while (reader.position < parts.length) questions.push(decodeQuestion(reader));
  return { batch: Number(parts[0]), publicationId: parts[1] ?? '', questions };
}

interface PartReader {
  position: number;
  next(): string;
  nextOrNull(): string | null;
}

function partReader(parts: readonly string[], start: number): PartReader {
  return {
    position: start,
    next() {
      const part = parts[this.position++];
      if (part === undefined) throw new Error('A batch ended in the middle of a question.');
      return part;
    },
    nextOrNull() {
      const part = this.next();
      return part === absent ? null : part;
    },
  };
}

function decodeQuestion(reader: PartReader): TextQuestion {
  const part = reader.next();
  const value = part.slice(1);
  const code = part[0];
  switch (code) {
    case 'h':
      return { kind: 'changes', lei: value, after: reader.nextOrNull(), limit: Number(reader.next()) };
    case 's': {
      const country = reader.nextOrNull();
      const status = reader.nextOrNull();
      const after = reader.nextOrNull();
      return { kind: 'search', q: value, country, status, after, limit: Number(reader.next()) };
    }
    case 'e':
      return JSON.parse(value);
    default:
      return questionOfText(code, value);
  }
}

function questionOfText(code: string | undefined, text: string): TextQuestion {
  const kind = kindOf.get(code ?? '');
  if (kind === undefined) throw new Error(`A question begins with the unknown code ${JSON.stringify(code)}.`);
  return isIdentifierKind(kind) ? { kind, value: text } : { kind, lei: text };
}
