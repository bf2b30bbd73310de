/** Generates the names, legal form and addresses of a level 1 record. */
import type { Address, TypedAddress, TypedName } from '../lei/company-parts.ts';
import { addressOf, latinAddress } from './addresses.ts';
import { otherNameTypes } from './entity-shares.ts';
import { companyCore, fundCore, governmentName, personName, withForm } from './names.ts';
import { countries, type LegalForm } from './vocabulary/countries.ts';
import type { Word } from './vocabulary/languages.ts';
import type { RecordDraft } from './world.ts';

const noForm: LegalForm = {
  code: '9999',
  jurisdiction: null,
  before: '',
  after: '',
  latinAfter: '',
  other: null,
};

export function formOf({ category, country, random }: RecordDraft): LegalForm {
  if (category === 'SOLE_PROPRIETOR' || category === 'RESIDENT_GOVERNMENT_ENTITY') {
    return random.chance(0.5) ? noForm : { ...noForm, code: '8888', other: 'Public or personal undertaking' };
  }
  if (category === 'INTERNATIONAL_ORGANIZATION') return noForm;
  return country.forms.choose(random);
}

/** The legal name without its legal form. */
export function coreName({ category, country, random }: RecordDraft): Word {
  if (category === 'FUND') return fundCore(country, random);
  if (category === 'SOLE_PROPRIETOR') return personName(country, random);
  if (category === 'RESIDENT_GOVERNMENT_ENTITY') return governmentName(country, random);
  const core = companyCore(country, random);
  if (category !== 'BRANCH') return core;
  return { text: `${core.text} Branch`, latin: `${core.latin} Branch` };
}

export function otherNames(draft: RecordDraft, form: LegalForm, capitals: boolean): TypedName[] {
  const { random, country } = draft;
  const names: TypedName[] = [];
  if (!random.chance(0.07)) return names;
  // Usually one; the CSV form has room for five.
  const count = 1 + random.zipf(5);
  for (let index = 0; index < count; index++) {
    const type = otherNameTypes.choose(random);
    const core = companyCore(country, random);
    const name = type === 'TRADING_OR_OPERATING_NAME' ? core : withForm(core, form, capitals);
    const alternative = type === 'ALTERNATIVE_LANGUAGE_LEGAL_NAME';
    names.push({
      name: alternative ? name.latin : name.text,
      language: alternative ? 'en' : country.tag,
      type,
    });
  }
  return names;
}

export function transliterations({ country, random }: RecordDraft, name: Word): TypedName[] {
  if (country.language.latin) {
    if (name.latin === name.text || !random.chance(0.03)) return [];
    return [{ name: name.latin, language: 'en', type: 'PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME' }];
  }
  const type = random.chance(0.6)
    ? 'AUTO_ASCII_TRANSLITERATED_LEGAL_NAME'
    : 'PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME';
  return random.chance(0.9) ? [{ name: name.latin, language: 'en', type }] : [];
}

export function headquarters({ country, random }: RecordDraft, legal: Address): Address {
  if (random.chance(0.7)) return legal;
  return addressOf(random.chance(0.12) ? random.pick(countries) : country, random);
}

export function otherAddresses({ country, random }: RecordDraft, legal: Address): TypedAddress[] {
  if (!random.chance(country.language.latin ? 0.004 : 0.1)) return [];
  return [{ type: 'ALTERNATIVE_LANGUAGE_LEGAL_ADDRESS', ...latinAddress(country, legal, random) }];
}

export function transliteratedAddresses({ country, random }: RecordDraft, legal: Address): TypedAddress[] {
  if (country.language.latin || !random.chance(0.75)) return [];
  return [{ type: 'AUTO_ASCII_TRANSLITERATED_LEGAL_ADDRESS', ...latinAddress(country, legal, random) }];
}
