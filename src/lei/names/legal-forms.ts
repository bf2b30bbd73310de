/**
 * Recognises legal forms in names: abbreviated or spelled out, at the end or in front, in any script. The spellings are
 * those of `folded-forms.txt`, which fold-forms.ts makes.
 */
import { tableLines } from '../table-lines.ts';
import { isUnspaced } from './characters.ts';
import { connector, foldedCharacters } from './fold.ts';
import { scriptForms, spellingsOfForms } from './script-forms.ts';

/** A spelling of a form, and the short token of that form. */
export interface FoldedSpelling {
  readonly token: string;
  /** Folded words, with a space between them. */
  readonly words: string;
}

/** The word that follows the given number of characters, which are whole words with the spaces beside them. */
type WordAfter = (words: string, taken: number) => string;

const forwards: WordAfter = (words, taken) => {
  const end = words.indexOf(' ', taken);
  return words.slice(taken, end < 0 ? words.length : end);
};
const backwards: WordAfter = (words, taken) => {
  const end = words.length - taken;
  return words.slice(words.lastIndexOf(' ', end - 1) + 1, end);
};

/** Spellings of forms as a tree of words: the words so far, and how they may continue. Made as far as it is asked for. */
export class FormNode {
  /** Those that begin with the words so far. {@link next} sorts them, and empties this list. */
  #spellings: readonly FoldedSpelling[];
  readonly #taken: number;
  readonly #wordAfter: WordAfter;
  #token: string | null = null;
  #next: ReadonlyMap<string, FormNode> | null = null;

  /** @param taken characters of the words so far, each with a space */
  constructor(spellings: readonly FoldedSpelling[], taken: number, wordAfter: WordAfter) {
    this.#spellings = spellings;
    this.#taken = taken;
    this.#wordAfter = wordAfter;
  }

  /** Short token of the form that ends here; empty if none does. */
  get token(): string {
    this.#token ??= this.#spellings.find(({ words }) => words.length < this.#taken)?.token ?? '';
    return this.#token;
  }

  /** By the word that follows. */
  get next(): ReadonlyMap<string, FormNode> {
    this.#next ??= this.#sortLonger();
    return this.#next;
  }

  #sortLonger(): ReadonlyMap<string, FormNode> {
    this.#token = this.token;
    const longer = this.#spellings.filter(({ words }) => words.length >= this.#taken);
    this.#spellings = [];
    const byWord = Map.groupBy(longer, ({ words }) => this.#wordAfter(words, this.#taken));
    const next = new Map<string, FormNode>();
    for (const [word, spellings] of byWord)
      next.set(word, new FormNode(spellings, this.#taken + word.length + 1, this.#wordAfter));
    return next;
  }
}

let spellings: readonly FoldedSpelling[] | null = null;

/** All spellings of forms. Those that begin with the same words stand together, the shortest first. */
export function foldedSpellings(): readonly FoldedSpelling[] {
  spellings ??= tableLines(new URL('./folded-forms.txt', import.meta.url)).map((line) => {
    const tab = line.indexOf('\t');
    return { token: line.slice(0, tab), words: line.slice(tab + 1) };
  });
  return spellings;
}

let tokens: ReadonlyMap<string, string> | null = null;

/** The short token of the form with that spelling; empty for none. */
export function tokenOfSpelling(words: string): string {
  tokens ??= new Map(foldedSpellings().map((spelling) => [spelling.words, spelling.token]));
  return tokens.get(words) ?? '';
}

interface FormTable {
  readonly forwards: FormNode;
  readonly backwards: FormNode;
}

let table: FormTable | null = null;

function formTable(): FormTable {
  table ??= {
    forwards: new FormNode(foldedSpellings(), 0, forwards),
    backwards: new FormNode(foldedSpellings(), 0, backwards),
  };
  return table;
}

/** The tree of all spellings of forms, from the first word forwards. */
export function formSpellings(): FormNode {
  return formTable().forwards;
}

/**
 * Short forms in Latin letters that names begin with. Others (AG, SE, Co, Ltd, Inc …) at the beginning are part of the name,
 * and so is any of these if the name also ends in a form.
 */
const frontTokens = new Set(
  (
    'ab ao as aps bv bvba cjsc cv dd doo ead eood eurl fa fcp gie ip is jsc kb ks llc llp mchj mmc nv ojsc ood ' +
    'ooo ou oy pjsc psc pt sa sarl sas sc sca sci scp scs sia sicav snc spa spol sprl srl sro uab vof shpk sha ' +
    'kk yk gk congty ets ste'
  ).split(' '),
);

let scriptTokens: ReadonlySet<string> | null = null;

/** True if a name may begin with the form, of one word. @param only true if no form was found at its end */
function mayBegin(word: string, token: string, only: boolean): boolean {
  if (word.charCodeAt(0) <= lastLatin) return only && frontTokens.has(token);
  scriptTokens ??= new Set(
    scriptForms()
      .filter(({ places }) => places.includes('front'))
      .map(({ token }) => token),
  );
  return scriptTokens.has(token);
}

/** The last letter of the Latin blocks that folding leaves. */
const lastLatin = 0x24f;

/** Forms of two parts, around the name: SC … SRL in Romania, PT … Tbk in Indonesia, Oy … Ab in Finland. */
const aroundNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['sc', ['srl', 'sa']],
  ['pt', ['tbk', 'pt']],
  ['oy', ['ab', 'abp']],
  ['ab', ['oy', 'oyj']],
]);

/** Spelled-out forms that begin names: Co-operative Group Limited. */
const neverInFront = new Set(['cooplimited', 'coop']);

export interface SplitName {
  /** The name without its legal forms; empty if it is nothing else. */
  readonly core: readonly string[];
  /** Short tokens of the forms, in the order of the name. */
  readonly forms: readonly string[];
}

/**
 * Removes the legal forms from the ends of a folded name.
 * @param lettersOf the same words with single letters that may be connectors as letters
 */
export function splitLegalForms(words: readonly string[], lettersOf = () => words): SplitName {
  const forms = formTable();
  const { core, found } = formsAtEnd(forms, words, lettersOf);
  const around = aroundNames.get(core[0] ?? '')?.includes(found[0] ?? '') === true && core.length > 1;
  if (around) return { core: core.slice(1), forms: [core[0] ?? '', ...found] };
  const front = formInFront(forms, core, found.length === 0);
  if (front === null) return { core, forms: found };
  return { core: core.slice(front.length), forms: [front.token, ...found] };
}

function formsAtEnd(
  forms: FormTable,
  words: readonly string[],
  lettersOf: () => readonly string[],
): { core: readonly string[]; found: string[] } {
  const found: string[] = [];
  let end = words.length;
  let letter = '';
  while (letter === '') {
    const taken = formAtEnd(forms, words, end);
    if (taken === null) break;
    found.unshift(taken.token);
    end -= taken.length;
    if (isGermanAnd(words, end - 1, found)) end--;
    while (words[end - 1] === connector && letter === '') letter = letterAt(lettersOf(), --end);
  }
  const rest = end === words.length ? words : words.slice(0, end);
  return { core: letter === '' ? rest : [...rest, letter], found };
}

/** "u." means "and" in "Larkmoor GmbH u. Co. KG". In front of other countries' forms it is an initial. @param found the forms behind it */
function isGermanAnd(words: readonly string[], at: number, [co, form = '']: readonly string[]): boolean {
  return at > 0 && words[at] === 'u' && co === 'co' && behindGermanAnd.has(form);
}

const behindGermanAnd = new Set(['kg', 'ohg', 'kgaa', 'gmbh', 'ag']);

/** The I of "Larkmoor Fund I, LLC", which connects nothing; empty for a connector, as before "Co" and its sisters. */
function letterAt(words: readonly string[], at: number): string {
  const letter = words[at] ?? connector;
  return letter === connector || andCompany.has(words[at + 1] ?? '') ? '' : letter;
}

/** The words for "company" behind an "and" of a single letter. */
const andCompany = new Set('co comp company cia cias cie compania companhia compagnia ko spol'.split(' '));

interface FoundForm {
  readonly token: string;
  /** Counted in words. */
  readonly length: number;
}

/** The longest spelling that ends there. Of several forms and nothing else, the first is the name, as in ANL B.V. */
function formAtEnd(forms: FormTable, words: readonly string[], end: number): FoundForm | null {
  const most = end < words.length ? end - 1 : end;
  let found: FoundForm | null = null;
  let node = forms.backwards.next.get(words[end - 1] ?? '');
  for (let length = 1; node !== undefined && length <= most; length++) {
    if (node.token !== '') found = { token: node.token, length };
    node = node.next.get(words[end - 1 - length] ?? '');
  }
  return found;
}

/** @param only whether no form was found at the end of the name: `AS Roma SpA` keeps its AS, `AS Tallink` does not */
function formInFront(forms: FormTable, words: readonly string[], only: boolean): FoundForm | null {
  const first = words[0] ?? '';
  let found: FoundForm | null = null;
  let node = forms.forwards.next.get(first);
  // At least one word must remain as the name.
  for (let length = 1; node !== undefined && length < words.length; length++) {
    // A spelled-out form is almost always a legal form; a single short word may be the beginning of the name.
    const isForm = length > 1 ? !neverInFront.has(node.token) : mayBegin(first, node.token, only);
    if (isForm && node.token !== '') found = { token: node.token, length };
    node = node.next.get(words[length] ?? '');
  }
  return found;
}

let glued: readonly string[] | null = null;

/** The spellings that {@link separateGluedForms} knows, folded, the longest first. */
export function gluedSpellings(): readonly string[] {
  glued ??= [...new Set(spellingsOfForms('joined').filter(isLetters).map(foldedCharacters))];
  return glued;
}

/** Abbreviations have other characters, too, or are too short to be found among the letters of a name: (株), บจก. */
function isLetters(spelling: string): boolean {
  return /^[\p{L}\p{M}]{3,}$/u.test(spelling);
}

let gluedAtEnds: RegExp | null = null;

/** Made when the first word needs it, because folding these forms reads the tables of Chinese characters. */
function gluedForms(): RegExp {
  if (gluedAtEnds !== null) return gluedAtEnds;
  const forms = gluedSpellings().join('|');
  gluedAtEnds = new RegExp(`^(?:${forms})|(?:${forms})$`, 'g');
  return gluedAtEnds;
}

/** Separates legal forms that are written without a space: 株式会社三菱, บริษัทไทย. */
export function separateGluedForms(words: readonly string[]): string[] {
  return words.flatMap((word) =>
    isUnspaced(word)
      ? word
          .replace(gluedForms(), (form) => ` ${form} `)
          .split(' ')
          .filter((part) => part !== '')
      : [word],
  );
}
