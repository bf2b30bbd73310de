/** Finds companies by their whole name while their legal form is typed behind it. */
import { connector } from '../../../lei/names/fold.ts';
import { splitLegalForms } from '../../../lei/names/legal-forms.ts';
import { formMark, nameKey, termsOf } from '../../../lei/names/name-terms.ts';
import { findKey } from '../index/keys.ts';
import { searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { joinedUnique } from '../sets/sorted.ts';
import { beforeForm, formsBegunWith } from '../text/forms-begun.ts';

/** Both ascending. */
interface NamedBeforeForm {
  /** The form is usually written so. */
  readonly likely: Uint32Array;
  readonly others: Uint32Array;
}

/**
 * The companies whose whole legal name is the beginning of a text, and whose legal form begins with the rest: "larkmoor limi".
 * @param texts the words of the text, in one or several readings
 */
export function namedBeforeForm(parts: IndexParts, texts: readonly (readonly string[])[]): NamedBeforeForm {
  const likely: number[] = [];
  const others: number[] = [];
  const places = texts.flatMap((words) => beforeForm(words.filter((word) => word !== connector)));
  for (const { name, form } of places) {
    const named = namedExactly(parts, name);
    if (named.length === 0) continue;
    const [usual, any] = [formsBegunWith(form, 'usual'), formsBegunWith(form, 'any')];
    for (const { document, forms } of named) {
      if (forms.some((token) => usual.has(token))) likely.push(document);
      else if (forms.some((token) => any.has(token))) others.push(document);
    }
  }
  return { likely: uniqueAscending(likely), others: uniqueAscending(others) };
}

function uniqueAscending(documents: readonly number[]): Uint32Array {
  return joinedUnique([Uint32Array.from(documents)]);
}

/** The first word may be a legal form or the beginning of the name: UAB Bank Limited. */
function namedExactly(parts: IndexParts, words: readonly string[]): NamedCompany[] {
  return [splitLegalForms(words), { core: words, forms: [] }].flatMap((split) =>
    namedWithForms(parts, nameKey(termsOf(words.join(' '), split)), split.forms),
  );
}

interface NamedCompany {
  readonly document: number;
  /** The tokens of the legal forms of its names. */
  readonly forms: readonly string[];
}

function namedWithForms(
  { tables, shape, terms, sets }: IndexParts,
  key: string,
  wanted: readonly string[],
): NamedCompany[] {
  const hits = findKey(tables, shape.keyBuckets, 'name', key, searchLimits.suggestionNamesMax);
  return hits
    .filter(({ nameIndex }) => nameIndex === 0)
    .map(({ document }) => {
      const ids = sets.termsOf(document).filter((id) => id >= shape.formsFrom && id < shape.formsTo);
      return { document, forms: ids.map((id) => terms.textOf(id).slice(formMark.length)) };
    })
    .filter(({ forms }) => wanted.every((token) => forms.includes(token)));
}
