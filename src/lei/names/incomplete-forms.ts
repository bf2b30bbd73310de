/**
 * Recognises legal forms with a missing word, as in "spółka ograniczoną odpowiedzialnością": a small inner word, or a
 * longer inner one if a small word still joins the rest ("sabiedrība ar atbildību"). The first and the last word must
 * be there. Otherwise too much of a name, or of a form with a typing error, would count as a form.
 */

const smallLettersMax = 3;
/** Words from this length on help to recognise a form. */
const tellingLettersMin = 5;
const tellingWordsMin = 2;

/** "For profit corporation" is the opposite of "not for profit corporation". */
const negations = new Set(['not', 'non']);

/** The folded words of a form without one of the inner words, in each way that still identifies the form. */
export function lackingOneWord(words: readonly string[]): string[][] {
  return words.flatMap((word, at) => {
    if (at === 0 || at === words.length - 1 || negations.has(word)) return [];
    const rest = words.toSpliced(at, 1);
    const isJoined = rest.slice(1, -1).some(isSmall);
    return (isSmall(word) || isJoined) && countTelling(rest) >= tellingWordsMin ? [rest] : [];
  });
}

function isSmall({ length }: string): boolean {
  return length <= smallLettersMax;
}

function countTelling(words: readonly string[]): number {
  return words.filter(({ length }) => length >= tellingLettersMin).length;
}
