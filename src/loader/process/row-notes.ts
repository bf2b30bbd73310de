/** Reports about rows during a load: bad ones in full, odd values and repeated keys by their first place and number. */
import type { LoadReport } from '../load-request.ts';
import type { RowFault, RowPlace, SourceRow } from '../rows.ts';

/** Bad rows reported in full; the rest are only counted. */
const badRowsToldMax = 200;
/** Kinds of odd values that are reported. */
const oddKindsMax = 50;

const repeatedReasons = {
  superseded: 'occurs earlier in this load with a later LastUpdateDate; that row is kept instead of this one',
  replaced: 'occurs earlier in this load; this row replaces that one',
} as const;

/** Notes of one kind, of which there may be thousands. */
type Notes = Map<string, { readonly first: string; count: number }>;

export type RowNotes = ReturnType<typeof createRowNotes>;

export function createRowNotes({ message }: Pick<LoadReport, 'message'>) {
  const odd: Notes = new Map();
  const repeated: Notes = new Map();
  let badRows = 0;
  return {
    /** Counts a row that can't be used and reports it. */
    bad(file: string, fault: RowFault): void {
      badRows++;
      if (badRows <= badRowsToldMax) message(`Bad row: ${describe(file, fault)}`);
    },
    /** Notes an odd value that is kept. */
    odd(file: string, fault: RowFault): void {
      const kind = `${file} ${fault.column} ${fault.reason.replace(/".*"/, '')}`;
      if (odd.has(kind) || odd.size < oddKindsMax) note(odd, kind, () => describe(file, fault));
    },
    /**
     * Notes a row whose key occurred before in this load. @param place of the row read later, whichever of the two is
     * kept
     */
    repeated(file: string, place: RowPlace, row: SourceRow, outcome: keyof typeof repeatedReasons): void {
      const reason = () => `"${keyOf(row)}" ${repeatedReasons[outcome]}`;
      note(repeated, `${file} ${outcome}`, () => describe(file, { place, column: null, reason: reason() }));
    },
    /** Reports what was only noted or counted. */
    finish(): void {
      const untold = badRows - badRowsToldMax;
      if (untold > 0) message(`… and ${untold} more bad rows, counted but not listed.`);
      for (const text of texts('Odd value, kept', odd)) message(text);
      for (const text of texts('Superseded row', repeated)) message(text);
    },
  };
}

function note(notes: Notes, kind: string, describeFirst: () => string): void {
  const known = notes.get(kind);
  if (known === undefined) notes.set(kind, { first: describeFirst(), count: 1 });
  else known.count++;
}

function texts(title: string, notes: Notes): readonly string[] {
  return [...notes.values()].map(
    ({ first, count }) => `${title}: ${first}${count === 1 ? '' : ` (and ${count - 1} more like it)`}`,
  );
}

function describe(file: string, { place, column, reason }: RowFault): string {
  return `${file}, ${place.unit} ${place.number}${column === null ? '' : `, ${column}`}: ${reason}`;
}

/** The key a row is stored under, for people. */
function keyOf(row: SourceRow): string {
  switch (row.kind) {
    case 'level-1':
      return row.record.lei;
    case 'packed-level-1':
      return row.lei;
    case 'relationships':
      return `${row.record.start} ${row.record.relationship.type} ${row.record.end}`;
    case 'reporting-exceptions':
      return `${row.record.lei} ${row.record.exception.category}`;
    case 'mic-list':
      return row.record.mic;
    case 'registration-authorities':
    case 'official-organizational-roles':
      return row.record.code;
    default:
      return `${row.lei} ${row.value}`;
  }
}
