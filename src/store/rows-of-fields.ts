/** Things that are stored as the fields of a row, as a name with its language: packed and rendered from one list. */
import { member, objectOf, type PutPart, putValue } from './packed-json.ts';
import { fieldSeparator } from './packing.ts';

export interface RowCodec<Thing> {
  /** The packed fields. */
  readonly fields: (thing: Thing) => readonly string[];
  /** The same, joined: where a thing is a whole slot. */
  readonly pack: (thing: Thing) => string;
  /** Writes the JSON of the thing from its row. */
  readonly put: PutPart;
}

/** What packs each member of a thing; their order is that of the stored fields and of the JSON. */
export type MemberPackers<Thing> = { readonly [Name in keyof Thing]-?: (thing: Thing) => string };

/** @param puts how those members are rendered that are no plain values */
export function rowCodec<Thing extends object>(
  members: MemberPackers<Thing>,
  puts: { readonly [Name in keyof Thing]?: PutPart } = {},
): RowCodec<Thing> {
  const names = namesOf(members);
  const packers = names.map((name) => members[name]);
  const fields = (thing: Thing) => packers.map((pack) => pack(thing));
  return {
    fields,
    pack: (thing) => fields(thing).join(fieldSeparator),
    put: objectOf(
      names.map((name, index) =>
        member(`${index === 0 ? '' : ','}"${String(name)}":`, puts[name] ?? putValue),
      ),
    ),
  };
}

/** Where a member stands in the row. */
export function fieldOf<Thing extends object>(members: MemberPackers<Thing>, name: keyof Thing): number {
  return namesOf(members).indexOf(name);
}

function namesOf<Members extends object>(members: Members): readonly (keyof Members)[] {
  return Object.keys(members).filter((name): name is keyof Members & string => name in members);
}
