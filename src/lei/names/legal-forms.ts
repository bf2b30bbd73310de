/**
 * Recognises legal forms in names: abbreviated or spelled out, at the end or in front, in any script.
 *
 * The table comes from the Entity Legal Form list (ISO 20275, version 1.5 of 2023-09-28, as published by GLEIF, CC0
 * 1.0): local names, transliterated names and abbreviations of each form, without those that distinguish companies
 * rather than their form (banks, funds, trusts, foundations, associations, public bodies) and without abbreviations
 * that are ordinary words or names. It also has spellings that names use but the list lacks (Ltd, Pvt, S. de R.L. de
 * C.V., ООО, ㈱, ذ.م.م, בע"מ and the like). Each line is a form: its short token, then all spellings. A spelling with a
 * missing word counts as well: {@link lackingOneWord}.
 *
 * `form-spellings.txt` has the everyday spellings of each market: market (ISO 3166-1 alpha-2), token, spellings, and the
 * source that shows them.
 */
import { tableLines } from '../table-lines.ts';
import { foldedCharacters, foldedWords } from './fold.ts';

/** Spellings of forms as a tree of words: the words so far, and how they may continue. */
export interface FormNode {
  /** Short token of the form that ends here; empty if none does. */
  token: string;
  readonly next: Map<string, FormNode>;
}

interface FormTable {
  /** From the first word forwards. */
  readonly forwards: FormNode;
  /** From the last word backwards. */
  readonly backwards: FormNode;
}

let table: FormTable | null = null;

function formTable(): FormTable {
  if (table !== null) return table;
  const forwards: FormNode = { token: '', next: new Map() };
  const backwards: FormNode = { token: '', next: new Map() };
  const add = ({ token, words }: Spelling) => {
    addSpelling(forwards, words, token);
    addSpelling(backwards, words.toReversed(), token);
  };
  const spellings = [...readSpellings()];
  for (const spelling of spellings) add(spelling);
  // Added last: a spelling that is a form by itself stays that form.
  for (const { token, words } of spellings)
    for (const rest of lackingOneWord(words)) add({ token, words: rest });
  table = { forwards, backwards };
  return table;
}

interface Spelling {
  readonly token: string;
  readonly words: readonly string[];
}

function* readSpellings(): Generator<Spelling> {
  for (const line of tableLines(new URL('./form-spellings.txt', import.meta.url))) {
    const [, token = '', phrases = ''] = line.split('\t');
    yield* spellingsIn(token, phrases);
  }
  for (const line of tableLines(new URL('./legal-form-names.txt', import.meta.url))) {
    const [token = '', phrases = ''] = line.split('\t');
    yield* spellingsIn(token, phrases);
  }
}

function* spellingsIn(token: string, phrases: string): Generator<Spelling> {
  for (const phrase of phrases.split('|')) {
    const words = foldedWords(phrase);
    if (words.length > 0) yield { token, words };
  }
}

/** All spellings of forms, from the first word forwards. */
export function formSpellings(): FormNode {
  return formTable().forwards;
}

/** If two forms have the same spelling, it belongs to the first one in the table. */
function addSpelling(root: FormNode, words: readonly string[], token: string): void {
  let node = root;
  for (const word of words) {
    let next = node.next.get(word);
    if (next === undefined) {
      next = { token: '', next: new Map() };
      node.next.set(word, next);
    }
    node = next;
  }
  if (node.token === '') node.token = token;
}

const smallLettersMax = 3;
/** Words from this length on help to recognise a form. */
const tellingLettersMin = 5;
const tellingWordsMin = 2;

/** "For profit corporation" is the opposite of "not for profit corporation". */
const negations = new Set(['not', 'non']);

/**
 * The folded words of a form without one of the inner words, in each way that still identifies the form, as in "spółka
 * ograniczoną odpowiedzialnością". A small word may be missing, or a longer one if a small word still joins the rest
 * ("sabiedrība ar atbildību"). Otherwise too much of a name, or of a form with a typing error, would count as a form.
 */
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

/**
 * Short forms that names begin with. Others (AG, SE, Co, Ltd, Inc …) at the beginning are part of the name, and so is
 * any of these if the name also ends in a form.
 */
const frontTokens = new Set(
  (
    'ab ao as aps bv bvba cjsc cv dd doo ead eood eurl fa fcp gie ip is jsc kb ks llc llp mchj mmc nv ojsc ood ' +
    'ooo ou oy pjsc psc pt sa sarl sas sc sca sci scp scs sia sicav snc spa spol sprl srl sro uab vof shpk sha ' +
    'ао пао оао зао нао ооо ип тов тоо прат пат ат дп ад еад ood еоод llc kk yk gk 有限公司 股份公司 주식회사 유한회사 ' +
    'congty บริษัท ذمم شركة شمم ets ste'
  ).split(' '),
);

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

/** Removes the legal forms from the ends of a folded name. */
export function splitLegalForms(words: readonly string[]): SplitName {
  const forms = formTable();
  const found: string[] = [];
  let end = words.length;
  for (;;) {
    const taken = formAtEnd(forms, words, end);
    if (taken === null) break;
    found.unshift(taken.token);
    end -= taken.length;
    while (words[end - 1] === '&') end--;
  }
  const core = end === words.length ? words : words.slice(0, end);
  const around = aroundNames.get(core[0] ?? '')?.includes(found[0] ?? '') === true && core.length > 1;
  if (around) return { core: core.slice(1), forms: [core[0] ?? '', ...found] };
  const front = formInFront(forms, core, found.length === 0);
  if (front === null) return { core, forms: found };
  return { core: core.slice(front.length), forms: [front.token, ...found] };
}

interface FoundForm {
  readonly token: string;
  /** Counted in words. */
  readonly length: number;
}

/** The longest spelling that ends there. */
function formAtEnd(forms: FormTable, words: readonly string[], end: number): FoundForm | null {
  let found: FoundForm | null = null;
  let node = forms.backwards.next.get(words[end - 1] ?? '');
  for (let length = 1; node !== undefined; length++) {
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
    const isForm =
      length > 1
        ? !neverInFront.has(node.token)
        : (only || first.charCodeAt(0) > 0x24f) && frontTokens.has(node.token);
    if (isForm && node.token !== '') found = { token: node.token, length };
    node = node.next.get(words[length] ?? '');
  }
  return found;
}

const gluedInFront = [
  '株式会社',
  '株式會社',
  '有限会社',
  '合同会社',
  '合資会社',
  '合名会社',
  '주식회사',
  '유한회사',
  'บริษัท',
  'ห้างหุ้นส่วนจำกัด',
];
const gluedAtEnd = [
  '股份有限公司',
  '有限责任公司',
  '有限責任公司',
  '有限公司',
  '股份公司',
  '株式会社',
  '株式會社',
  '有限会社',
  '合同会社',
  '주식회사',
  '유한회사',
  'จำกัด',
];
let glued: RegExp | null = null;

/** Made when the first word needs it, because folding these forms reads the tables of Chinese characters. */
function gluedForms(): RegExp {
  const folded = (forms: readonly string[]) => forms.map(foldedCharacters).join('|');
  glued ??= new RegExp(`^(?:${folded(gluedInFront)})|(?:${folded(gluedAtEnd)})$`, 'g');
  return glued;
}

const oneCharacterForms: Readonly<Record<string, string>> = {
  주: '주식회사',
  株: '株式会社',
  有: '有限会社',
  유: '유한회사',
  합: '합자회사',
};

/**
 * Separates legal forms that are written without a space (株式会社三菱, บริษัทไทย), and spells out the one-character ones
 * that were in parentheses ((주), (株)).
 */
export function separateGluedForms(words: readonly string[]): string[] {
  return words.flatMap((word, i) => {
    const code = word.charCodeAt(0);
    if (code < 0x0e00) return [word];
    const outer = i === 0 || i === words.length - 1;
    const spelled = outer && words.length > 1 ? oneCharacterForms[word] : undefined;
    if (spelled !== undefined) return [spelled];
    return word
      .replace(gluedForms(), (form) => ` ${form} `)
      .split(' ')
      .filter((part) => part !== '');
  });
}
