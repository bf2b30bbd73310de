/**
 * Reads JSON that a client sent. Its nesting and the number of its values are bounded before it is parsed, so that
 * neither parsing nor reading it takes a front longer than about two milliseconds, and no text of it exhausts the stack.
 */
import { bodyLimits } from './limits.ts';

const { jsonDepthMax, jsonValuesMax } = bodyLimits;

/** A value, or why there is none: the predicate of a sentence about the text. */
type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: string };

export function readJson(text: string): JsonReading {
  const fault = excessOf(text);
  if (fault !== null) return { ok: false, fault };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, fault: 'must be JSON' };
  }
}

/** Looks only at the signs that separate values. Whether the rest is JSON is the parser's question. */
function excessOf(text: string): string | null {
  let depth = 0;
  let separators = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (sign === openBracket || sign === openBrace) depth++;
    else if (sign === closeBracket || sign === closeBrace) depth--;
    else if (sign === comma) separators++;
    if (depth > jsonDepthMax) return `must be nested at most ${jsonDepthMax} levels deep`;
    if (separators >= jsonValuesMax) return `must hold at most ${jsonValuesMax.toLocaleString('en')} values`;
  }
  return null;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @returns the position of the closing quote, or of the end of the text */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
