/**
 * Makes foreign texts safe to print: names of accounts, members of archives, answers of a mirror, paths. Unescaped,
 * they could move the cursor, reorder a line, hide a part of it or forge another line.
 */

/**
 * Control, format (bidirectional, zero-width, tag), private, unassigned and invisible characters, and line separators.
 */
const unsafe = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

const escapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** One line: `\n`, `\u001b` or `\u{e0041}` stand for unsafe characters. */
function safeLine(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return escapes.get(character) ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : escapedUnit(code));
  });
}

/** A text is one line, whatever it contains; several lines are a list. */
export type Lines = string | readonly string[];

/** Safe lines, without a line feed at the end. */
export function safeLines(lines: Lines): string {
  return typeof lines === 'string' ? safeLine(lines) : lines.map(safeLine).join('\n');
}

/** A value as JSON in which `\u` escapes stand for unsafe characters. */
export function safeJson(value: unknown): string {
  return safeJsonText(JSON.stringify(value));
}

/** One line of JSON with `\u` escapes in place of unsafe characters; it reads as the same value. */
export function safeJsonText(json: string): string {
  // Outside of strings JSON has only safe characters; inside, controls are already escaped.
  return json.replace(unsafe, (character) =>
    Array.from({ length: character.length }, (_, unit) => escapedUnit(character.charCodeAt(unit))).join(''),
  );
}

/**
 * A foreign text in a sentence, in quotes. Escapes also stand for spaces of other kinds: a no-break space looks like the
 * space that is right.
 */
export function quoted(text: string): string {
  return safeJson(text).replace(/[^\S ]/g, (space) => escapedUnit(space.charCodeAt(0)));
}

function escapedUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
