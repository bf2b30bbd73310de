/** Marks numbers: nearly all up to the greatest, or few among millions. */
import { createNumberList } from './number-list.ts';

interface Marks {
  /** 0 if there is none. */
  get(number: number): number;
  /** @param mark above 0 */
  set(number: number, mark: number): void;
  /** Numbers with a mark, from the lowest. */
  marked(): Iterable<number>;
}

/** @param few whether so few are marked that a list up to the greatest number would cost more than the marks */
export function createMarks(few: boolean): Marks {
  return few ? createFewMarks() : createManyMarks();
}

function createFewMarks(): Marks {
  const marks = new Map<number, number>();
  return {
    get: (number) => marks.get(number) ?? 0,
    set: (number, mark) => void marks.set(number, mark),
    marked: () => [...marks.keys()].sort((a, b) => a - b),
  };
}

function createManyMarks(): Marks {
  const marks = createNumberList();
  return {
    get: marks.get,
    set: marks.set,
    *marked() {
      for (let number = 0; number < marks.length; number++) if (marks.get(number) > 0) yield number;
    },
  };
}
