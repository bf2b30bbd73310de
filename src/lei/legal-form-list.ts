/** The list of entity legal forms (ISO 20275) as GLEIF publishes it, with all names. */
import legalForms from './legal-forms.txt' with { type: 'text' };

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

let forms: ReadonlyMap<string, ListedForm> | undefined;

/** All forms by code, in the order of codes. */
export function legalFormList(): ReadonlyMap<string, ListedForm> {
  // Read at the first question: only query threads ever ask.
  forms ??= new Map(
    legalForms
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, 4), readForm(line.split('\t'))]),
  );
  return forms;
}

/** Members of a name in a line. A transliterated name that is the local one is left out. */
const fieldsOfName = 4;

function readForm(fields: readonly string[]): ListedForm {
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
  const names = legalFormList().get(code)?.names ?? [];
  const name = names.find(({ languageCode }) => languageCode === 'en') ?? names[0];
  return name?.localName ?? null;
}
