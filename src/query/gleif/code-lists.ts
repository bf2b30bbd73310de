/** Answers with code lists: small tables that stand in memory once they are asked for. */
import { fieldAttributes, recordFields } from '../../gleif/fields.ts';
import { type GleifListName, isLoadedList, type LoadedListName } from '../../lei/gleif-code-lists.ts';
import { legalFormList } from '../../lei/legal-form-list.ts';
import { countriesOfIso, subdivisionsOfIso } from '../../lei/places-of-iso.ts';
import type { GleifAsk, GleifFilter, GleifSort } from '../../protocol/gleif-questions.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { smallIndex } from '../../store/search/text/small-index.ts';
import { atOnce } from '../../store/steps.ts';
import { compare } from '../related.ts';
import { documentOf, type GleifTexts, listOf, missing, onPage } from './document.ts';
import { issuerAttributes, issuerRelationships } from './issuers-and-isins.ts';

type CodeAsk<For extends GleifAsk['for']> = Extract<GleifAsk, { for: For }>;

interface CodeEntry {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A list with an index for each member that is searched by words, made when it is first asked for. */
class SearchedList {
  readonly entries: readonly CodeEntry[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #indexes = new Map<string, (text: string) => ReadonlySet<number>>();

  constructor(entries: readonly CodeEntry[]) {
    this.entries = entries;
    this.#places = new Map(entries.map(({ id }, place) => [id.toUpperCase(), place]));
  }

  find(id: string): CodeEntry | null {
    return this.entries[this.#places.get(id.toUpperCase()) ?? -1] ?? null;
  }

  list(filters: readonly GleifFilter[], sort: readonly GleifSort[]): readonly CodeEntry[] {
    const tests = filters.map((filter) => this.#testOf(filter));
    const met = this.entries.filter((entry, place) => tests.every((test) => test(entry, place)));
    return sort.length === 0 ? met : met.toSorted((a, b) => compareBy(sort, a, b));
  }

  #testOf(filter: GleifFilter): (entry: CodeEntry, place: number) => boolean {
    const { field, isExcluded } = filter;
    if (filter.is === 'values') {
      const values = new Set(filter.values);
      const has = ({ attributes }: CodeEntry) =>
        membersNamed(field, attributes).some((value) => values.has(String(value).toUpperCase()));
      return (entry) => has(entry) !== isExcluded;
    }
    if (filter.is === 'range') return () => isExcluded;
    const places = this.#indexOf(field)(filter.text);
    return (_, place) => places.has(place) !== isExcluded;
  }

  #indexOf(field: string): (text: string) => ReadonlySet<number> {
    const known = this.#indexes.get(field) ?? smallIndex(this.entries.map((entry) => textOf(entry, field)));
    this.#indexes.set(field, known);
    return known;
  }
}

/**
 * The words that a filter finds: of one member, or of all names, or of everything. A country has those of its name and its
 * code, as nothing says which of them GLEIF's filter means.
 */
function textOf({ attributes }: CodeEntry, field: string): string {
  if (field === 'fulltext') return textsIn(attributes).join(' ');
  if (field === 'name' || field === 'names') {
    const names = Object.entries(attributes).filter(([name]) => /name/i.test(name));
    return textsIn(names.map(([, value]) => value)).join(' ');
  }
  const members = field === 'country' ? ['country', 'countryCode'] : [field];
  return textsIn(members.map((member) => membersNamed(member, attributes))).join(' ');
}

/** The values of a member, also of the items of lists: a registration authority has a list of jurisdictions. */
function membersNamed(field: string, attributes: unknown): readonly unknown[] {
  if (typeof attributes !== 'object' || attributes === null) return [];
  return Object.entries(attributes).flatMap(([name, value]): readonly unknown[] => {
    if (name === field) return [value ?? ''];
    return Array.isArray(value) ? value.flatMap((item) => membersNamed(field, item)) : [];
  });
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function compareBy(sort: readonly GleifSort[], a: CodeEntry, b: CodeEntry): number {
  for (const { field, isDescending } of sort) {
    const order = compare(String(a.attributes[field] ?? ''), String(b.attributes[field] ?? ''));
    if (order !== 0) return isDescending ? -order : order;
  }
  return compare(a.id, b.id);
}

const named = (code: string, name: string | null): CodeEntry => ({ id: code, attributes: { code, name } });

/** The lists that are the same in every publication. */
const fixed: Readonly<Record<Exclude<GleifListName, PublicationListName>, () => readonly CodeEntry[]>> = {
  countries: () => countriesOfIso.map(({ code, name }) => named(code, name)),
  // As in GLEIF's list only countries have a name there.
  jurisdictions: () =>
    [
      ...countriesOfIso.map(({ code, name }) => named(code, name)),
      ...subdivisionsOfIso().map(({ code }) => named(code, null)),
    ].sort((a, b) => compare(a.id, b.id)),
  // The package does not say in which language a name is: "und" is the tag for that.
  regions: () =>
    subdivisionsOfIso().map(({ code, name }) => ({
      id: code,
      attributes: { code, name: null, names: [{ language: 'und', name }] },
    })),
  'entity-legal-forms': () =>
    legalFormList().map(({ code, country, jurisdiction, countryCode, ...form }) => ({
      id: code,
      attributes: {
        code,
        country,
        jurisdiction,
        countryCode,
        subdivisionCode: form.subdivisionCode,
        dateCreated: form.dateCreated,
        status: form.status,
        names: form.names,
      },
    })),
  fields: () => recordFields.map((field) => ({ id: field.id, attributes: fieldAttributes(field) })),
};

type PublicationListName = 'lei-issuers' | LoadedListName;

const fixedLists = new Map<GleifListName, SearchedList>();
const listsOf = new WeakMap<PublicationReader, Map<PublicationListName, SearchedList>>();

function listNamed(publication: PublicationReader, name: GleifListName): SearchedList {
  if (!isFromPublication(name)) {
    const list = fixedLists.get(name) ?? new SearchedList(fixed[name]());
    fixedLists.set(name, list);
    return list;
  }
  const lists = listsOf.get(publication) ?? new Map<PublicationListName, SearchedList>();
  listsOf.set(publication, lists);
  const list = lists.get(name) ?? new SearchedList(read(publication, name));
  lists.set(name, list);
  return list;
}

function isFromPublication(name: GleifListName): name is PublicationListName {
  return name === 'lei-issuers' || isLoadedList(name);
}

function read(publication: PublicationReader, name: PublicationListName): readonly CodeEntry[] {
  if (name !== 'lei-issuers') {
    return publication.gleif.codeList(name).map(({ code, attributes }) => ({ id: code, attributes }));
  }
  const leis = [...atOnce(publication.lists.values('managingLou'))].filter((lei) => lei !== '').sort(compare);
  return leis.map((lei) => ({ id: lei, attributes: issuerAttributes(publication, lei) }));
}

function resource(texts: GleifTexts, list: GleifListName, { id, attributes }: CodeEntry): object {
  const self = `${texts.base}/${list}/${encodeURIComponent(id)}`;
  const relationships = list === 'lei-issuers' ? { relationships: issuerRelationships(self) } : {};
  return { type: list, id, attributes, ...relationships, links: { self } };
}

export function answerCode(
  publication: PublicationReader,
  texts: GleifTexts,
  { list, id }: CodeAsk<'code'>,
): Answer {
  const entry = listNamed(publication, list).find(id);
  return entry === null ? missing(list, id) : documentOf(texts, resource(texts, list, entry), false);
}

/** The register and its authority: `Companies Register, Companies House`. Null for a code that the list lacks. */
export function nameOfRegister(publication: PublicationReader, code: string): string | null {
  const entry = listNamed(publication, 'registration-authorities').find(code);
  const first = (...members: readonly string[]) =>
    members
      .map((member) => entry?.attributes[member])
      .find((name) => typeof name === 'string' && name !== '');
  const register = first('internationalName', 'localName');
  const keeper = first('internationalOrganizationName', 'localOrganizationName');
  return [...new Set([register, keeper])].filter((name) => name !== undefined).join(', ') || null;
}

export function answerCodes(
  publication: PublicationReader,
  texts: GleifTexts,
  ask: CodeAsk<'codes'>,
): Answer {
  const { list, filters, sort, page } = ask;
  const met = listNamed(publication, list).list(filters, sort);
  const shown = onPage(met, page).map((entry) => resource(texts, list, entry));
  return listOf(texts, page, met.length, shown, false);
}

/** No open source says for which jurisdictions an issuer is accredited: the list of a known issuer is empty. */
export function answerIssuerJurisdictions(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei, page }: CodeAsk<'issuer-jurisdictions'>,
): Answer {
  const issuer = listNamed(publication, 'lei-issuers').find(lei);
  return issuer === null ? missing('lei-issuers', lei) : listOf(texts, page, 0, [], false);
}
