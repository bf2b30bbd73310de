/**
 * Assigns numbers to the documents of a new index: in order of rank, with free numbers between them and at the end of
 * each grade, so that a delta can insert a company by moving only its neighbours.
 */
import { grades, gradesMax } from '../score/grades.ts';

/**
 * One number is left free for this many companies of a grade: room for about a hundred usual days. Lower grades grow
 * every day and hardly ever shrink.
 */
function companiesPerRoom(grade: number): number {
  return grade >= grades.lapsed ? 8 : 4;
}

/** The least free numbers at the end of each grade. */
const roomMin = 32;

/** Numbers of the documents of an index. */
interface DocumentNumbers {
  /** One more than the company at each number; 0 if it is free. */
  readonly companies: Uint32Array;
  /** For each grade from the best, its first number. */
  readonly gradeStarts: readonly number[];
}

/**
 * @param ranked companies in order of rank
 * @param gradeOf grade of a company
 */
export function placesOf(ranked: Uint32Array, gradeOf: (company: number) => number): DocumentNumbers {
  const counts = new Uint32Array(gradesMax);
  for (const company of ranked) counts[gradeOf(company)] = (counts[gradeOf(company)] ?? 0) + 1;
  const gradeStarts: number[] = [];
  let size = 0;
  for (let grade = gradesMax - 1; grade >= 0; grade--) {
    gradeStarts.push(size);
    const count = counts[grade] ?? 0;
    size += count + Math.floor(count / companiesPerRoom(grade)) + roomMin;
  }
  return { companies: spread(ranked, gradeOf, gradeStarts, size), gradeStarts };
}

function spread(
  ranked: Uint32Array,
  gradeOf: (company: number) => number,
  gradeStarts: readonly number[],
  size: number,
): Uint32Array {
  const companies = new Uint32Array(size);
  let grade = -1;
  let inGrade = 0;
  for (let i = 0; i < ranked.length; i++) {
    const company = ranked[i] ?? 0;
    if (gradeOf(company) !== grade) [grade, inGrade] = [gradeOf(company), 0];
    const start = gradeStarts[gradesMax - 1 - grade] ?? 0;
    companies[start + inGrade + Math.floor(inGrade / companiesPerRoom(grade))] = company + 1;
    inGrade++;
  }
  return companies;
}
