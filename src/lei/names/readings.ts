/**
 * Reads a name as people write it into lists: with places, branches, states of the company, acronyms and other parties
 * around the name itself. What was read out is kept beside the rest, so that a comparison can use it.
 */
import { namedCountry, readCountry } from '../countries.ts';
import { isLei } from '../identifiers.ts';
import { countryName } from '../places-of-iso.ts';
import { isAcronym, isCodeOfTrust, isMadeOf } from './acronyms.ts';
import { namesAlone } from './around-names.ts';
import { isUnspaced } from './characters.ts';
import { stateBeside } from './company-states.ts';
import { foldedWords } from './fold.ts';
import { withFormAtEnd } from './inner-forms.ts';
import { separateGluedForms, splitLegalForms } from './legal-forms.ts';
import { nameParts } from './name-terms.ts';
import { numberAtEnd } from './ordinals.ts';
import { spelledOut } from './other-writings.ts';
import { partiesIn, trustIn } from './parties.ts';
import { type NamedPlace, placeAtEnd, placeOf, stateOf } from './places.ts';
import { branchesBehind, setApart } from './set-apart.ts';
import { actedFor, mayBeSubFund, namesOfSubFund, withoutShareClass } from './sub-funds.ts';
import { namesInTwoScripts } from './two-scripts.ts';

/** One way to read a written name. */
export interface NameReading {
  /** Whether it is the whole text. */
  readonly isAsItStands: boolean;
  /** The rest, which is the name, as it was written. */
  readonly text: string;
  /** A place that was written behind the name. */
  readonly place: NamedPlace | null;
  /** Whether the name means a branch, at that place. */
  readonly isBranch: boolean;
  /** A state of the company, such as `in liquidation`; null for none. */
  readonly state: string | null;
  /** Whether words without a known meaning were left out. */
  readonly isShortened: boolean;
  /** The words that were left out may be the name of a sub-fund. */
  readonly isUmbrella: boolean;
  /**
   * Whether it is the other name of a text with two: what follows d/b/a or "formerly". A company of that name may be
   * meant, but need not be.
   */
  readonly isOther: boolean;
  /** Its words are in the order of a sub-fund's name, and it may be nothing else. */
  readonly isSubFund: boolean;
  /** It is a trust or a fund, and the text names the trustee as well. */
  readonly isTrust: boolean;
}

/** At most this many readings of one name. */
const readingsMax = 8;

/** The text itself, then the readings in which something was read out of it. */
export function readingsOf(text: string): readonly NameReading[] {
  const own = written(text);
  const found = new Map<string, NameReading>();
  const add = (read: NameReading) => {
    const reading = { ...read, isAsItStands: read.text === text };
    const key = `${foldedWords(reading.text).join('')}${reading.isOther}`;
    const known = found.get(key);
    if (known === undefined && reading.text.trim() !== '') found.set(key, reading);
    // Of the same name, the reading that knows all it left out.
    else if (known?.isShortened === true && !reading.isShortened)
      found.set(key, { ...reading, place: known.place, isAsItStands: known.isAsItStands });
  };
  const named = columnOf(own);
  if (named !== own || trustIn(text) !== null) add(own);
  const alone = namesAlone(named.text).map((name) => ({ ...named, text: name }));
  for (const each of [named, ...alone].flatMap(partiesOf)) {
    add(each);
    const bare = withoutEnds({ ...each, text: setApart(each.text) });
    add(bare);
    for (const name of namesInTwoScripts(bare.text)) add({ ...bare, text: name });
    for (const name of namesOfSubFund(bare.text)) add({ ...bare, text: name, isSubFund: true });
    add({ ...bare, text: withoutShareClass(bare.text) });
    add(withoutState(bare));
    add({ ...bare, text: withFormAtEnd(withoutState(bare).text) });
    for (const reading of withoutPlaces(withoutState(bare))) if (!dropsNumber(bare, reading)) add(reading);
  }
  for (const reading of [...found.values()]) {
    const spelled = countriesSpelledOut(spelledOut(reading.text));
    if (spelled !== reading.text) add({ ...reading, text: spelled });
  }
  return [...found.values()].slice(0, readingsMax);
}

/** Whether the name lacks the number at the end of the whole one, which names another company: "Larkmoor AG II". */
function dropsNumber({ text }: NameReading, reading: NameReading): boolean {
  if (reading.isBranch) return false;
  const number = numberAtEnd(nameParts(text).core, text);
  return number !== null && !foldedWords(reading.text).includes(number);
}

function partiesOf(own: NameReading): readonly NameReading[] {
  const acted = actedFor(own.text);
  const isUmbrella = acted?.isFund === true;
  const parties = partiesIn(own.text).map((party) => ({ ...own, ...party, isUmbrella }));
  if (acted === null) return parties;
  const joined = { ...own, text: `${acted.umbrella} - ${acted.part}`, isSubFund: true };
  return acted.isCalledSo ? [joined, { ...own, text: acted.part, isTrust: true }] : [...parties, joined];
}

/** The name in a row of a table, whose columns tabs separate; the same for a text without tabs. */
function columnOf(own: NameReading): NameReading {
  if (!own.text.includes('\t')) return own;
  const columns = own.text.split('\t').map((column) => column.trim());
  const at = columns.findIndex((column) => /\p{L}.*\p{L}/u.test(column) && !isCode(column));
  const text = columns[at] ?? own.text;
  return { ...own, text, place: firstPlace(columns.toSpliced(at, 1).join(', ')) };
}

function isCode(text: string): boolean {
  return isLei(text) || (/^[A-Z]{2,3}$/.test(text) && readCountry(text) !== null);
}

/** Accounts of a whole group are those of its parent. */
const subsidiaries =
  /(?<![\s,(])[\s,(]+(?:(?:and|&|\+) (?:its )?(?:consolidated )?subsidiar(?:y|ies)(?: companies)?|und (?:ihre )?tochter(?:gesellschaften|unternehmen)|et (?:ses )?filiales|y (?:sus )?(?:filiales|subsidiarias|sociedades dependientes)|e (?:sue )?(?:controllate|subsidi[aá]rias)|en (?:haar )?dochter(?:ondernemingen|maatschappijen)|och dotterbolag|og datterselskaber)\)?$/iu;

/**
 * Without quotation marks around, "and subsidiaries", a trailing ", THE" and a state of incorporation as the SEC writes it:
 * "/DE/".
 */
function withoutEnds(reading: NameReading): NameReading {
  const text = reading.text
    .replace(subsidiaries, '')
    .replace(/[\s,/]+(?:\(?the\)?)$/i, '')
    .replace(/\s*[/\\][A-Z]{2}[/\\]?$/, '')
    .replace(/\s*\(the\)\s*$/i, '')
    .trim();
  return text.length < 2 || text === reading.text ? reading : { ...reading, text };
}

function withoutState(reading: NameReading): NameReading {
  const found = stateBeside(reading.text);
  return found === null ? reading : { ...reading, text: found.name, state: found.state };
}

function written(text: string): NameReading {
  const plain = {
    isBranch: false,
    isShortened: false,
    isUmbrella: false,
    isOther: false,
    isSubFund: false,
    isTrust: false,
  };
  return { text, isAsItStands: true, place: null, state: null, ...plain };
}

const branchWords =
  'branch(?: office)?|brch|br\\.?|succursale|succ\\.?|sucursal|sucurs\\.?|suc\\.?|filiale|filial|zweigniederlassung|niederlassung|zweigstelle|zndl\\.?|' +
  'sede secondaria|bijkantoor|oddzia[lł]|organiza[cč]n[aá] slo[zž]ka|pobo[cč]ka|podru[zž]nica|ogranak|fi[oó]ktelep[eé]?|magyarorsz[aá]gi fi[oó]ktelepe|filia[lł]as|fili[aā]le|' +
  'filiaal|sivuliike|клон|филиал|філія|филијала|представительство|υποκατάστημα|ფილიალი|մասնաճյուղ|فرع|סניף|สาขา|' +
  `representative office|rep\\.? office|agency|${branchesBehind}`;
const branchAtEnd = new RegExp(`^(.*?)[\\s,(–-]+(?:${branchWords})\\)*[\\s.]*$`, 'isu');
/** "Sucursal en España", "succursale de Paris", "Zweigniederlassung Frankfurt", "branch in London". */
const branchInFront = new RegExp(
  `^(.+?)[\\s,(–-]+(?:${branchWords})(?:\\s+(?:en|de|du|d|di|in|i|em|do|da|of|w|v|für|fuer|der|des))?[\\s,'’]+([^,()]{2,40})\\)?$`,
  'isu',
);

/** Readings without a place or a branch behind the name, the surest first. */
function withoutPlaces(reading: NameReading): NameReading[] {
  const branch = branchReadings(reading);
  if (branch.length > 0) return branch;
  return [
    ...behindMark(reading),
    ...behindForm(reading),
    ...endingInPlace(reading),
    ...withoutNumber(reading),
    ...withoutLooseAcronym(reading),
  ];
}

/** "Филиал ООО «Заря» в г. Казань". */
const branchFirst = /^(?:филиал|філія|филијала|представительство)\s+(.+?)(?:\s+(?:в|у|во)\s+([^"«»“”]+))?$/iu;

function branchReadings(reading: NameReading): NameReading[] {
  const [, named = '', where = ''] = branchFirst.exec(reading.text) ?? [];
  if (named !== '') return [{ ...reading, text: named, place: placeOf(foldedWords(where)), isBranch: true }];
  const atEnd = branchAtEnd.exec(reading.text);
  if (atEnd !== null) return branchAt(reading, atEnd[1] ?? '');
  const inFront = branchInFront.exec(reading.text);
  if (inFront === null) return [];
  const [, name = '', at = ''] = inFront;
  return [{ ...reading, text: trimmedEnd(name), place: placeOf(foldedWords(at)), isBranch: true }];
}

/** @param text a name and a place: "BANK OF INDIA, NEW YORK", "Citibank (Athens, Attica, GR,", "PNC BANK CANADA" */
function branchAt(reading: NameReading, text: string): NameReading[] {
  const made = (name: string, at: string): NameReading => ({
    ...reading,
    text: trimmedEnd(name),
    place: firstPlace(at),
    isBranch: true,
  });
  const marked = /^(.{3,}?)\s*(?:\(|,\s|\s[-–]\s?|\.-\s?|,(?=\p{Lu}))\s*([^(]+)$/su.exec(text);
  if (marked !== null) {
    const [, name = '', at = ''] = marked;
    // A comma may stand before a form: "CTBC BANK CO.,LTD., HONG KONG".
    const last = lastPart(text);
    const isForm = splitLegalForms(['x', ...foldedWords(at)]).core.length === 1;
    if (!isForm) {
      const readings = [made(name, at)];
      if (last !== null && last.name !== name) readings.unshift(made(last.name, last.rest));
      return readings.flatMap((each) => [each, ...behindForm(each)]);
    }
  }
  const formed = behindForm({ ...reading, text, isBranch: true });
  if (formed.length > 0) return formed;
  const words = text.split(/\s+/);
  const place = placeAtEnd(foldedWords(text));
  if (place !== null)
    return [made(words.slice(0, -place.length).join(' '), words.slice(-place.length).join(' '))];
  if (stateOf(foldedWords(words.at(-1) ?? '')) !== null) return [made(words.slice(0, -1).join(' '), '')];
  // A branch of an unknown place, of one word.
  return words.length < wordsMin(text) + 1
    ? [made(text, '')]
    : [made(text, ''), made(words.slice(0, -1).join(' '), '')];
}

function firstPlace(text: string): NamedPlace | null {
  const whole = placeOf(foldedWords(text));
  if (whole !== null) return whole;
  const parts = text.split(/[,()–-]/).map((part) => part.trim());
  const known = parts.map((part) => placeOf(foldedWords(part))).find((place) => place !== null);
  const code = parts
    .map((part) => (/^[A-Z]{2}$/.test(part) ? readCountry(part) : null))
    .find((found) => found !== null);
  if (known !== undefined) return known;
  return code === undefined ? null : { country: code, city: null };
}

/** The part behind the last comma, dash or bracket. */
function lastPart(text: string): { readonly name: string; readonly rest: string } | null {
  const found = /^(.{2,}?)(?:\s*[,(;]\s*|\s+[-–]\s*|\.-\s*|\s*\/\s*(?=\p{Lu}))([^,(;)]+?)\)?$/su.exec(text);
  const parts = /^(.{2,})(?:\s*[,(;]\s*|\s+[-–]\s*|\.-\s*)([^,(;)–]+?)\)?$/su.exec(text) ?? found;
  return parts === null ? null : { name: parts[1] ?? '', rest: parts[2] ?? '' };
}

function trimmedEnd(text: string): string {
  return text.replace(/[\s,;:(/–-]+$/u, '');
}

/** The text behind a comma or a dash, or in brackets at the end. */
function behindMark(reading: NameReading): NameReading[] {
  const part = lastPart(reading.text) ?? slashPart(reading.text);
  if (part === null || part.name.length < 2) return [];
  const words = foldedWords(part.rest);
  if (words.length === 0 || splitLegalForms(['x', ...words]).core.length === 1) return [];
  const place = firstPlace(part.rest) ?? placeOfState(words);
  const text = trimmedEnd(part.name);
  if (place !== null) {
    const rest: NameReading = { ...reading, text, place };
    return [rest, ...behindMark(rest)];
  }
  if (isAcronym(part.rest, text) || isNote(words) || isCodeOfTrust(reading.text))
    return [{ ...reading, text }];
  const isUmbrella = reading.isUmbrella || mayBeSubFund(reading.text.slice(part.name.length));
  return [{ ...reading, text, isShortened: true, isUmbrella }];
}

function slashPart(text: string): { readonly name: string; readonly rest: string } | null {
  const found = /^(.{3,})\/([A-Z]{2,}|[A-Z][a-z]{2,})$/.exec(text);
  return found === null ? null : { name: found[1] ?? '', rest: found[2] ?? '' };
}

function placeOfState(words: readonly string[]): NamedPlace | null {
  const country = stateOf(words);
  return country === null ? null : { country, city: null };
}

/** Additions that markets and lists write behind a name. */
const notes = new Set(
  (
    'head office|headquarters|hq|new|old|main|main office|group|gruppe|systematic internaliser|si|otf|mtf|apa|otc|' +
    'publ|the|parent|consolidated|duplicate|active|inactive|live|lapsed|issued|retired|closed|in formation|i g|in gruendung|i gr'
  ).split('|'),
);

function isNote(words: readonly string[]): boolean {
  return notes.has(words.join(' '));
}

/** The words behind a legal form: "Unilever PLC London", "DOO BEOGRAD". */
function behindForm(reading: NameReading): NameReading[] {
  const tokens = reading.text.split(/\s+/);
  for (let rest = 1; rest <= 5 && rest <= tokens.length - 1; rest++) {
    const name = tokens.slice(0, -rest).join(' ');
    const words = separateGluedForms(foldedWords(name));
    const { core, forms } = splitLegalForms(words);
    const endsInForm = forms.length > 0 && core.length > 0 && core.at(-1) !== words.at(-1);
    if (!endsInForm) continue;
    const behind = tokens.slice(-rest).join(' ');
    const folded = foldedWords(behind);
    if (folded.length === 0 || splitLegalForms(['x', ...folded]).core.length === 1) continue;
    const place = firstPlace(behind) ?? placeOfState(folded);
    const isKnown = place !== null || reading.isBranch || isAcronym(behind, name) || isNote(folded);
    return [
      {
        ...reading,
        text: trimmedEnd(name),
        place: place ?? reading.place,
        isShortened: !isKnown,
        isUmbrella: reading.isUmbrella || (!isKnown && mayBeSubFund(behind)),
      },
    ];
  }
  return [];
}

/** How many words are a name at least, with spaces between them. */
function wordsMin(text: string): number {
  return isUnspaced(text) ? 1 : 2;
}

/** A city or country at the end without a mark: "ALUBAF INTERNATIONAL BANK TUNIS". */
function endingInPlace(reading: NameReading): NameReading[] {
  const tokens = reading.text.split(/\s+/);
  const found = placeAtEnd(foldedWords(reading.text));
  if (found !== null && tokens.length >= found.length + wordsMin(reading.text)) {
    const text = trimmedEnd(tokens.slice(0, -found.length).join(' '));
    return [{ ...reading, text, place: found.place, isShortened: true }];
  }
  const last = tokens.at(-1) ?? '';
  const state = /^[A-Z]{2}$/.test(last) && tokens.length > 2 ? placeOfState([last.toLowerCase()]) : null;
  return state === null
    ? []
    : [{ ...reading, text: tokens.slice(0, -1).join(' '), place: state, isShortened: true }];
}

/** Numbers of customers and registers around a name: "1002345 Foo GmbH", "Foo GmbH (HRB 4711)", "Foo Ltd #123". */
function withoutNumber(reading: NameReading): NameReading[] {
  const text = reading.text
    .replace(/^\s*#?\d{4,}[\s:,-]+(?=\p{L}{2})/u, '')
    .replace(
      /[\s,;(–-]+(?:(?:hr[ab]|reg\.?|registration|company|no\.?|nr\.?|n°|number|id|vat|ust-?id|kvk|cvr|siren|rcs|crn|инн|огрн|бин|унп|єдрпоу|еик|#)[\s.:#-]*)*\d[\d\s./-]{3,}\d\)?$/iu,
      '',
    )
    .trim();
  return text === reading.text || text.length < 2 ? [] : [{ ...reading, text }];
}

/** A short name in capitals behind the whole one: "ECOBANK NIGER ECN". */
function withoutLooseAcronym(reading: NameReading): NameReading[] {
  const found = /^(.{5,}\s\S+)\s+(\p{Lu}{2,5})$/u.exec(reading.text);
  const [, name = '', last = ''] = found ?? [];
  const isForm = splitLegalForms(['x', ...foldedWords(last)]).core.length === 1;
  if (found === null || isForm || !isMadeOf(last.toLowerCase(), foldedWords(name).join(''))) return [];
  return [{ ...reading, text: name, isShortened: true }];
}

/** A name whose bracketed codes of countries are spelled out: "IC SECURITIES (GH) LIMITED". */
function countriesSpelledOut(text: string): string {
  return text.replace(/\(([A-Z]{2,3})\)/g, (bracket, code: string) => {
    const country = readCountry(code);
    const named = countryName(country) ?? '';
    return namedCountry(foldedWords(named)) === null ? bracket : `(${named})`;
  });
}
