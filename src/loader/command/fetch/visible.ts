/** Characters that move a cursor, reorder or hide text on a terminal, break a line, or have no meaning. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}]/gu;

/** A publisher's text for a message: what could forge the output of a command is escaped, as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
