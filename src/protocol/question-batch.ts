/**
 * Questions on their way to a query thread. The dispatcher collects those of one event-loop tick for one publication
 * into one text, so that what is per message is paid once a batch:
 *
 * ```
 * batch NUL publication NUL question NUL question …
 * ```
 *
 * An answer names its batch and the position of its question there (answer-record.ts). A batch number comes again
 * after 2³² batches, so an answer that nobody waits for any more is recognised and dropped. A part never holds NUL:
 * identifiers are checked, and query texts have no control characters.
 */
import { byKind, identifierKinds } from '../lei/identifier-kinds.ts';
import { keyOf, type TextQuestion } from './questions.ts';

const separator = '\0';
/** Stands for null where a field may be absent; no field is ever this text, since control characters are refused. */
const absent = '\u0001';

export interface QuestionBatch {
  readonly batch: number;
  readonly publicationId: string;
  readonly questions: readonly TextQuestion[];
}

/** What a batch begins with; questions follow by {@link joinQuestion}. */
export function openBatch(batch: number, publicationId: string): string {
  return batch + separator + publicationId;
}

export function joinQuestion(batch: string, question: TextQuestion): string {
  return batch + separator + encodeQuestion(question);
}

/** A digit or another sign before the letters, which no other question begins with. */
const identifierCodes = byKind(identifierKinds, (kind) =>
  String.fromCharCode(0x30 + identifierKinds.indexOf(kind)),
);

/** One question as its part of a batch. */
function encodeQuestion(question: TextQuestion): string {
  switch (question.kind) {
    case 'company':
      return `c${question.lei}`;
    case 'relationships':
      return `r${question.lei}`;
    case 'changes':
      return `h${question.lei}${separator}${question.after ?? absent}${separator}${question.limit}`;
    case 'search': {
      const filters = `${question.country ?? absent}${separator}${question.status ?? absent}`;
      const page = `${question.after ?? absent}${separator}${question.limit}`;
      return `s${question.q}${separator}${filters}${separator}${page}`;
    }
    default:
      return identifierCodes[question.kind] + question.value;
  }
}

/** Reads a batch of questions. Throws where the message is none: only a bug could have made it. */
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
    case 'c':
      return { kind: 'company', lei: value };
    case 'r':
      return { kind: 'relationships', lei: value };
    case 'h':
      return { kind: 'changes', lei: value, after: reader.nextOrNull(), limit: Number(reader.next()) };
    case 's': {
      const country = reader.nextOrNull();
      const status = reader.nextOrNull();
      const after = reader.nextOrNull();
      return { kind: 'search', q: value, country, status, after, limit: Number(reader.next()) };
    }
    default:
      return { kind: keyOf(identifierCodes, code ?? ''), value };
  }
}
