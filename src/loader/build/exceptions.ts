/** Writes reporting exceptions into their tables. Their key is (LEI, category); each text is stored once. */
import type { ExceptionRecord } from '../../lei/relationship.ts';
import { exceptionCategories } from '../../lei/relationship-codes.ts';
import { appendText } from '../../lmdb.ts';
import { exceptionCodesWriter, writeExceptionCodes } from '../../store/exception-codes.ts';
import type { RawPublication } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import type { Entities } from './entities.ts';
import { createNumberList } from './number-list.ts';

export const exceptionSides = ['direct', 'ultimate'] as const;
export type ExceptionSide = (typeof exceptionSides)[number];

/** The codes of all entities until they are written. */
interface Codes {
  /** @param side index in {@link exceptionSides} */
  get(entity: number, side: number): number;
  set(entity: number, side: number, code: number): void;
  write(): void;
}

/** The codes of an empty table. */
function codesOfAll({ exceptionCodes }: Tables): Codes {
  const codes = createNumberList();
  return {
    get: (entity, side) => codes.get(entity * 2 + side),
    set: (entity, side, code) => codes.set(entity * 2 + side, code),
    write: () => writeExceptionCodes(exceptionCodes, codes.values()),
  };
}

export type Exceptions = ReturnType<typeof createExceptions>;

/** @param grown the publication whose copy is changed */
export function createExceptions(tables: Tables, entities: Entities, grown: RawPublication | null) {
  const isDelta = grown !== null;
  const codes: Codes = grown === null ? codesOfAll(tables) : exceptionCodesWriter(tables.exceptionCodes);
  let count = grown?.meta.counts.reportingExceptions ?? 0;
  const texts = grown === null ? [] : exceptionTexts(grown);
  // Code 0 means no exception.
  texts[0] = '';
  /**
   * What a delta brought: entities, and places of exceptions. A full set has millions; there a code that is set is from this
   * load.
   */
  const touched = new Set<number>();
  const brought = new Set<number>();
  const storedTexts = texts.length;
  const codeOf = codesOf(texts);
  return {
    put({ lei, exception }: ExceptionRecord, deletedAt: string | null): 'stored' | 'replaced' | 'deleted' {
      // The parser has refused every other category.
      const index = exception.category === exceptionCategories.direct ? 0 : 1;
      const entity = entities.number(lei);
      if (isDelta) touched.add(entity);
      const place = entity * 2 + index;
      const before = codes.get(entity, index);
      const after = deletedAt === null ? codeOf(exception) : 0;
      const isFirst = isDelta ? !brought.has(place) : before === 0;
      if (isDelta) brought.add(place);
      count += Number(after !== 0) - Number(before !== 0);
      codes.set(entity, index, after);
      if (deletedAt !== null) return 'deleted';
      return isFirst ? 'stored' : 'replaced';
    },
    /** Entities for which a delta brought an exception. */
    touched: (): ReadonlySet<number> => touched,
    /** JSON members of an entity's exception, or null. */
    text(entity: number, side: ExceptionSide): string | null {
      const code = codes.get(entity, exceptionSides.indexOf(side));
      return code === 0 ? null : (texts[code] ?? null);
    },
    /** Writes the tables; returns how many exceptions there are. */
    write(): { count: number; lastCode: number } {
      tables.exceptions.transactionSync(() => {
        for (let code = storedTexts; code < texts.length; code++)
          appendText(tables.exceptions, code, texts[code] ?? '');
      });
      codes.write();
      return { count, lastCode: texts.length - 1 };
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

/** Nearly all have one reason and no reference. */
function plainReason({ reasons, references }: ExceptionRecord['exception']): string | null {
  return reasons.length === 1 && references.length === 0 ? (reasons[0] ?? null) : null;
}

function membersOf({ reasons, references }: ExceptionRecord['exception']): string {
  return `"reasons":${JSON.stringify(reasons)},"references":${JSON.stringify(references)}`;
}

/** The texts of a publication's exceptions, by code from 1. */
export function exceptionTexts({ tables, transaction }: RawPublication): string[] {
  const texts: string[] = [];
  for (const { key, value } of tables.exceptions.getRange({ transaction })) texts[Number(key)] = value;
  return texts;
}
