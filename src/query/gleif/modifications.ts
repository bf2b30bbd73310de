/** Answers with the field modifications of a record: the service's own change history, with GLEIF's XPaths. */
import { xpathOfChange } from '../../gleif/xpaths.ts';
import { kindOfMappingField } from '../../lei/change-kinds.ts';
import type { Family } from '../../lei/golden-copy.ts';
import { isDayName } from '../../lei/written-days.ts';
import type { GleifAsk, GleifFilter } from '../../protocol/gleif-questions.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import type { Steps } from '../../store/steps.ts';
import { allChanges } from '../history.ts';
import { type GleifTexts, listOf, missing, onPage } from './document.ts';
import { digest } from './relationships.ts';

interface ChangedField {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A ChangeItem, as far as modifications follow from it. */
interface ChangeItem {
  readonly kind: string;
  readonly at: string;
  readonly changes?: readonly ChangedField[];
  readonly relationship?: { readonly start: string; readonly end: string | null; readonly type: string };
}

interface Modification {
  readonly lei: string;
  readonly recordType: 'LEI' | 'RR' | 'REPEX';
  readonly modificationType: 'INITIAL' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly field: string;
  readonly date: string;
  readonly valueOld: string | null;
  readonly valueNew: string | null;
  readonly context: object | null;
}

type ModificationsAsk = Extract<GleifAsk, { for: 'modifications' }>;

/** Newest first, unless the oldest are wanted first. */
export function* answerModifications(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei, filters, isOldestFirst, page }: ModificationsAsk,
): Steps<Answer> {
  const changes = yield* allChanges<ChangeItem>(publication, lei);
  if (changes === null) return missing('lei-records', lei);
  const all = changes.flatMap((item) => modificationsOf(lei, item));
  const identities = identitiesOf(all);
  const wanted = all.filter((each) => filters.every((filter) => meets(each, filter)));
  if (isOldestFirst) wanted.reverse();
  const shown = onPage(wanted, page).map((attributes) => ({
    type: 'field-modifications',
    id: uuid(digest(identities.get(attributes) ?? '')),
    attributes,
  }));
  return listOf(texts, page, wanted.length, shown);
}

/**
 * What tells one modification from all others of its record. Several may be equal, such as the types of two new names:
 * they are counted from the oldest, so that newer ones change no id.
 */
function identitiesOf(all: readonly Modification[]): ReadonlyMap<Modification, string> {
  const counts = new Map<string, number>();
  return new Map(
    all.toReversed().map((each) => {
      const text = JSON.stringify(each);
      const before = counts.get(text) ?? 0;
      counts.set(text, before + 1);
      return [each, before === 0 ? text : `${text} ${before}`];
    }),
  );
}

/** An id in the form of those of GLEIF's service. */
function uuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

function modificationsOf(lei: string, { kind, at, changes = [], relationship }: ChangeItem): Modification[] {
  const date = `${at.slice(0, 10)}T00:00:00Z`;
  const whole = (modificationType: Modification['modificationType']): Modification => ({
    lei,
    recordType: 'LEI',
    modificationType,
    field: xpathOfChange('lei2', 'lei'),
    date,
    valueOld: modificationType === 'DELETE' ? lei : null,
    valueNew: modificationType === 'DELETE' ? null : lei,
    context: null,
  });
  if (kind === 'created') return [whole('INITIAL')];
  if (kind === 'removed') return [whole('DELETE')];
  if (kind === 'change')
    return leavesOf(changes).map((leaf) => ({ lei, ...shownLeaf('lei2', leaf, date), context: null }));
  // The other end of a relationship has modifications of its own record only.
  if (relationship === undefined || relationship.start !== lei) return [];
  const { end, type } = relationship;
  const family = end === null ? 'repex' : 'rr';
  const context = end === null ? { exceptionCategory: type } : { relationshipType: type, endNode: end };
  if (kind !== 'relationship-removed') {
    return leavesOf(changes).map((leaf) => ({ lei, ...shownLeaf(family, leaf, date), context }));
  }
  const removed = { path: end === null ? 'category' : 'type', from: type, to: null };
  return [{ lei, ...shownLeaf(family, removed, date), context }];
}

const recordTypes = { lei2: 'LEI', rr: 'RR', repex: 'REPEX' } as const;

function shownLeaf(
  family: Family,
  { path, from, to }: ChangedValue,
  date: string,
): Omit<Modification, 'lei' | 'context'> {
  const modificationType = from === null ? 'INSERT' : to === null ? 'DELETE' : 'UPDATE';
  return {
    recordType: recordTypes[family],
    modificationType,
    field: xpathOfChange(family, path),
    date,
    valueOld: from,
    valueNew: to,
  };
}

/** A changed single value. */
interface ChangedValue {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The changed single values in changes of fields: lists and objects are taken apart. */
function leavesOf(changes: readonly ChangedField[]): ChangedValue[] {
  return changes
    .filter(({ field }) => kindOfMappingField(field) === null && !field.startsWith('mappings'))
    .flatMap(({ field, from, to }) => {
      const before = flattened(field, from);
      const after = flattened(field, to);
      return [...new Set([...before.keys(), ...after.keys()])].flatMap((path): ChangedValue[] => {
        const leaf = { path, from: before.get(path) ?? null, to: after.get(path) ?? null };
        return leaf.from === leaf.to ? [] : [leaf];
      });
    });
}

/** The single values in a value, by path; absent ones are left out, and days, which GLEIF's formats don't have. */
function flattened(
  path: string,
  value: unknown,
  into = new Map<string, string>(),
): ReadonlyMap<string, string> {
  if (isDayName(path.slice(path.lastIndexOf('.') + 1))) return into;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) flattened(`${path}[${index}]`, item, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) flattened(`${path}.${name}`, member, into);
  } else if (value !== null && value !== undefined) {
    into.set(path, String(value));
  }
  return into;
}

function meets(modification: Modification, filter: GleifFilter): boolean {
  return isMet(modification, filter) !== filter.isExcluded;
}

function isMet(modification: Modification, filter: GleifFilter): boolean {
  switch (filter.is) {
    case 'values':
      return filter.values.includes(
        filter.field === 'recordType' ? modification.recordType : modification.modificationType,
      );
    case 'text':
      return modification.field.toLowerCase().includes(filter.text.toLowerCase());
    case 'range': {
      const at = Date.parse(modification.date) / 1000;
      return (filter.from === null || at >= filter.from) && (filter.to === null || at <= filter.to);
    }
  }
}
