/** The fields by which field modifications and code lists are filtered and sorted. */
import { date, type FieldKind, field, type GleifField, identifier, oneOf, text } from './fields.ts';

/** Fields by name, of one of the smaller lists. */
function named(...fields: readonly GleifField[]): ReadonlyMap<string, GleifField> {
  return new Map(fields.map((each) => [each.name, each]));
}
const small = (name: string, kind: FieldKind) => field('', name, '', kind, { sorts: true });

/** The filters of a record's field modifications. */
export const modificationFilters = named(
  small('recordType', oneOf(['LEI', 'RR', 'REPEX'])),
  small('modificationType', oneOf(['INITIAL', 'INSERT', 'UPDATE', 'DELETE'])),
  small('field', text),
  small('date', date),
  small('modificationDate', date),
);
export const modificationSorts = named(small('date', date), small('modificationDate', date));

/** The fields by which code lists are filtered and sorted. A list has some of them; a filter on another finds nothing. */
export const codeListFilters = named(
  small('code', identifier),
  small('lei', identifier),
  small('name', text),
  small('names', text),
  small('fulltext', text),
  small('country', text),
  small('countryCode', identifier),
  small('jurisdiction', text),
  small('subdivisionCode', identifier),
  small('status', identifier),
  small('elfCode', identifier),
);
export const codeListSorts = named(
  ...['code', 'lei', 'name', 'country', 'countryCode', 'jurisdiction', 'status'].map((name) =>
    small(name, text),
  ),
);
