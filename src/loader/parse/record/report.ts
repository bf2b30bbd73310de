/** Counts the rows and faults that the readers of records find, and passes them on with their place. */

import { isDate, readDate } from '../../../lei/dates.ts';
import { quoted } from '../../../terminal-text.ts';
import type { RowFault, RowPlace, RowSink, SourceRow } from '../../rows.ts';

/** One report for a whole file, moved on record by record. */
export class RecordReport {
  rows = 0;
  rejected = 0;
  remarks = 0;
  readonly #sink: RowSink;
  readonly #unit: RowPlace['unit'];
  #number = 0;
  #place: RowPlace | undefined;

  constructor(sink: RowSink, unit: RowPlace['unit']) {
    this.#sink = sink;
    this.#unit = unit;
  }

  /** The record that the following reports are about: its line, or its number from 1. */
  moveTo(number: number): void {
    this.#number = number;
    this.#place = undefined;
  }

  get place(): RowPlace {
    this.#place ??= { unit: this.#unit, number: this.#number };
    return this.#place;
  }

  row(row: SourceRow): void {
    this.rows++;
    this.#sink.row(row, this.place);
  }

  reject(column: string | null, reason: string): void {
    this.rejected++;
    this.#sink.reject({ place: this.place, column, reason });
  }

  remark(column: string | null, reason: string): void {
    this.remarkAt({ place: this.place, column, reason });
  }

  remarkAt(fault: RowFault): void {
    this.remarks++;
    this.#sink.remark(fault);
  }

  /**
   * A date with its time of day and its offset as published. One that lacks its offset or its time of day is completed,
   * and what can't be understood stays, both with a remark.
   */
  date(text: string | null, column: string): string | null {
    if (text === null || isDate(text)) return text;
    const { value, oddity } = readDate(text);
    if (oddity !== null) this.remark(column, `${shortQuoted(text)} ${oddity}`);
    return value;
  }
}

/** A published value within a sentence, shortened if it is long. */
export function shortQuoted(text: string): string {
  return quoted(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
