/** The list of entity legal forms (ISO 20275) as GLEIF publishes it, with all names. */
import { tableLines } from './table-lines.ts';

interface ListedFormName {
  readonly localName: string;
  /** In English. */
  readonly language: string;
  /** ISO 639-1. */
  readonly languageCode: string;
  readonly transliteratedName: string;
}

interface ListedForm {
  readonly code: string;
  /** Null for a code that stands for no form of a country, such as 9999. */
  readonly country: string | null;
  readonly countryCode: string | null;
  /** ISO 3166-2; null for a form of the whole country. */
  readonly subdivisionCode: string | null;
  readonly jurisdiction: string | null;
  /** Day. */
  readonly dateCreated: string;
  /** ACTV or INAC. */
  readonly status: string;
  readonly names: readonly ListedFormName[];
}

let linesByCode: ReadonlyMap<string, string> | undefined;

/** Read at the first question: only query threads ever ask. A thread reads few of the lines. */
function formLines(): ReadonlyMap<string, string> {
  linesByCode ??= new Map(
    tableLines(new URL('./legal-forms.txt', import.meta.url)).map((line) => [line.slice(0, 4), line]),
  );
  return linesByCode;
}

/** All forms, in the order of codes. */
export function legalFormList(): readonly ListedForm[] {
  return [...formLines().values()].map(readForm);
}

/** Members of a name in a line. A transliterated name that is the local one is left out. */
const fieldsOfName = 4;

function readForm(line: string): ListedForm {
  const fields = line.split('\t');
  const [code = '', countryCode = '', country = '', subdivisionCode = '', jurisdiction = ''] = fields;
  const [dateCreated = '', status = '', ...rest] = fields.slice(5);
  const names: ListedFormName[] = [];
  for (let at = 0; at < rest.length; at += fieldsOfName) {
    const [localName = '', language = '', languageCode = '', other = ''] = rest.slice(at, at + fieldsOfName);
    names.push({ localName, language, languageCode, transliteratedName: other || localName });
  }
  return {
    code,
    country: country || null,
    countryCode: countryCode || null,
    subdivisionCode: subdivisionCode || null,
    jurisdiction: jurisdiction || null,
    dateCreated,
    status,
    names,
  };
}

/**
 * The name of a legal form (ISO 20275 entity legal form code): the English one if English is an official language of
 * the form, otherwise the first local one of the list. Null for a code that is not in the list, and for 8888 (a new
 * code has been asked for) and 9999 (no separate legal form).
 */
export function legalFormLabel(code: string): string | null {
  const line = formLines().get(code);
  const names = line === undefined ? [] : readForm(line).names;
  const name = names.find(({ languageCode }) => languageCode === 'en') ?? names[0];
  return name?.localName ?? null;
}
