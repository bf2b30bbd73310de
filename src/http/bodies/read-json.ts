/**
 * Reads JSON that a client sent. Its nesting and the numbers of its values and of the members of an object are bounded
 * before it is parsed, so that neither parsing nor reading it takes a front longer than about two milliseconds, and no
 * text of it exhausts the stack.
 */
import { byteOrderMark } from '../../csv-cells.ts';
import { bodyLimits } from './limits.ts';

const { jsonDepthMax, jsonValuesMax, jsonMembersMax } = bodyLimits;

/** A value, or why there is none: the predicate of a sentence about the text. */
type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: string };

/** A byte order mark in front, which some programs on Windows send, is passed over. */
export function readJson(text: string): JsonReading {
  const fault = excessOf(text);
  if (fault !== null) return { ok: false, fault };
  try {
    return { ok: true, value: JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) };
  } catch {
    return { ok: false, fault: notJson };
  }
}

const notJson = 'must be JSON';

/** Looks only at the signs that separate values. Whether the rest is JSON is the parser's question. */
function excessOf(text: string): string | null {
  const size = new JsonSize();
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (size.add(sign) && size.fault !== null) return size.fault;
  }
  return null;
}

/** The size of JSON by its signs so far. */
class JsonSize {
  #depth = 0;
  #separators = 0;
  /** How many members the open object at each depth has. */
  readonly #members: number[] = [];

  /** @returns whether the sign changes the size */
  add(sign: number): boolean {
    switch (sign) {
      case openBracket:
      case openBrace:
        this.#members[++this.#depth] = 0;
        return true;
      case closeBracket:
      case closeBrace:
        this.#depth--;
        return true;
      case comma:
        this.#separators++;
        return true;
      case colon:
        this.#members[this.#depth] = this.#membersHere + 1;
        return true;
      default:
        return false;
    }
  }

  get fault(): string | null {
    if (this.#depth < 0) return notJson;
    if (this.#depth > jsonDepthMax) return `must be nested at most ${jsonDepthMax} levels deep`;
    if (this.#membersHere > jsonMembersMax) return `must have at most ${jsonMembersMax} members in an object`;
    if (this.#separators >= jsonValuesMax)
      return `must hold at most ${jsonValuesMax.toLocaleString('en')} values`;
    return null;
  }

  get #membersHere(): number {
    return this.#members[this.#depth] ?? 0;
  }
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @returns the position of the closing quote, or of the end of the text */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
