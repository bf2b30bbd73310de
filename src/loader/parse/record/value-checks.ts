/** Makes remarks on single values; codes are added and withdrawn over the years, so no code is refused. */
import { isLei } from '../../../lei/identifiers.ts';
import { quoted, type RecordReport } from './report.ts';

/** A required code that should be known. */
export function checkCode(
  code: string | null,
  known: ReadonlySet<string>,
  column: string,
  report: RecordReport,
): void {
  if (code === null) report.remark(column, 'is missing');
  else checkOptionalCode(code, known, column, report);
}

/** An optional code that should be known. */
export function checkOptionalCode(
  code: string | null,
  known: ReadonlySet<string>,
  column: string,
  report: RecordReport,
): void {
  if (code !== null && !known.has(code)) {
    report.remark(column, `${quoted(code)} is not one of ${[...known].join(', ')}; kept as published`);
  }
}

/** An LEI that is not a key. */
export function checkLeiValue(lei: string | null, column: string, report: RecordReport): void {
  if (lei !== null && !isLei(lei)) report.remark(column, `${quoted(lei)} is not an LEI; kept as published`);
}
