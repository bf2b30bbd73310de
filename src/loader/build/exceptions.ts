/** Writes reporting exceptions into their tables. Their key is (LEI, category); each text is stored once. */
import { type ExceptionRecord, exceptionCategories } from '../../lei/relationship.ts';
import { appendText } from '../../lmdb.ts';
import { readExceptionCodes, writeExceptionCodes } from '../../store/exception-codes.ts';
import type { RawPublication } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import type { Entities } from './entities.ts';
import { createNumberList } from './number-list.ts';

export const exceptionSides = ['direct', 'ultimate'] as const;
export type ExceptionSide = (typeof exceptionSides)[number];

export interface Exceptions {
  /** @returns null where the category is neither of the two */
  put(record: ExceptionRecord, deletedAt: string | null): 'stored' | 'replaced' | 'deleted' | null;
  /** Entities this load brought an exception for. */
  touched(): ReadonlySet<number>;
  /** JSON members of an entity's exception, or null. */
  text(entity: number, side: ExceptionSide): string | null;
  /** Writes the tables; returns how many exceptions there are. */
  write(): { count: number; lastCode: number };
}

/** @param track whether {@link Exceptions.touched} is asked for: a delta's few, not a full set's millions */
export function createExceptions(
  tables: Tables,
  entities: Entities,
  grown: RawPublication | null,
  track: boolean,
): Exceptions {
  const codes = createNumberList();
  const texts: string[] = [''];
  const touched = new Set<number>();
  /** Places that a delta brought; in a full set a place is taken by nothing but rows of the load. */
  const brought = new Set<number>();
  if (grown !== null)
    loadExceptions(grown, (entity, index, code) => codes.set(entity * 2 + index, code), texts);
  const storedTexts = texts.length;
  const codeOf = codesOf(texts);
  return {
    put({ lei, exception }, deletedAt) {
      const index = sideIndex(exception.category);
      if (index === -1) return null;
      const entity = entities.number(lei);
      if (track) touched.add(entity);
      const place = entity * 2 + index;
      const isFirst = track ? !brought.has(place) : codes.get(place) === 0;
      if (track) brought.add(place);
      codes.set(place, deletedAt === null ? codeOf(exception) : 0);
      if (deletedAt !== null) return 'deleted';
      return isFirst ? 'stored' : 'replaced';
    },
    touched: () => touched,
    text(entity, side) {
      const code = codes.get(entity * 2 + exceptionSides.indexOf(side));
      return code === 0 ? null : (texts[code] ?? null);
    },
    write() {
      tables.exceptions.transactionSync(() => {
        for (let code = storedTexts; code < texts.length; code++)
          appendText(tables.exceptions, code, texts[code] ?? '');
      });
      tables.exceptionCodes.clearSync();
      const values = codes.values();
      writeExceptionCodes(tables.exceptionCodes, values);
      return {
        count: values.reduce((sum, code) => sum + (code === 0 ? 0 : 1), 0),
        lastCode: texts.length - 1,
      };
    },
  };
}

/** @returns a function that gives the code of an exception; it adds a new text to `texts` */
function codesOf(texts: string[]): (exception: ExceptionRecord['exception']) => number {
  const codeOfText = new Map(texts.map((text, code) => [text, code]));
  const codeOfReason = new Map<string, number>();
  const intern = (text: string) => {
    let code = codeOfText.get(text);
    if (code === undefined) {
      code = texts.push(text) - 1;
      codeOfText.set(text, code);
    }
    return code;
  };
  return (exception) => {
    const reason = plainReason(exception);
    const known = reason === null ? undefined : codeOfReason.get(reason);
    if (known !== undefined) return known;
    const code = intern(membersOf(exception));
    if (reason !== null) codeOfReason.set(reason, code);
    return code;
  };
}

function sideIndex(category: string): number {
  if (category === exceptionCategories.direct) return 0;
  return category === exceptionCategories.ultimate ? 1 : -1;
}

/** Nearly all give one reason and no reference. */
function plainReason({ reasons, references }: ExceptionRecord['exception']): string | null {
  return reasons.length === 1 && references.length === 0 ? (reasons[0] ?? null) : null;
}

function membersOf({ reasons, references }: ExceptionRecord['exception']): string {
  return `"reasons":${JSON.stringify(reasons)},"references":${JSON.stringify(references)}`;
}

function loadExceptions(
  grown: RawPublication,
  set: (entity: number, index: number, code: number) => void,
  texts: string[],
): void {
  const { tables, transaction, meta } = grown;
  for (const { key, value } of tables.exceptions.getRange({ transaction })) texts[Number(key)] = value;
  for (let entity = 1; entity <= meta.lastEntity; entity++) {
    const { direct, ultimate } = readExceptionCodes(tables.exceptionCodes, entity, transaction);
    if (direct !== 0) set(entity, 0, direct);
    if (ultimate !== 0) set(entity, 1, ultimate);
  }
}
