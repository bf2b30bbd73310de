/**
 * Determines which notices of other publishers an answer requires: a set of mapping kinds as bits, because every answer
 * has one.
 */
import { byKind, type MappingKind, mappingKinds, mappingTable } from './identifier-kinds.ts';

/** Bits of {@link noticeOf}; 0 if an answer requires none. */
export type Notices = number;
export const noNotices: Notices = 0;

/** The kinds whose pairs may be shown only with a notice. */
export const noticeKinds = mappingKinds.filter((kind) => mappingTable[kind].notice !== null);

/** The notice that each kind requires: one bit or none. */
export const noticeOf: Readonly<Record<MappingKind, Notices>> = byKind(mappingKinds, (kind) =>
  noticeKinds.includes(kind) ? 1 << noticeKinds.indexOf(kind) : noNotices,
);

/** The notices that several kinds together require. */
export function noticesOf(kinds: readonly MappingKind[]): Notices {
  return kinds.reduce((notices, kind) => notices | noticeOf[kind], noNotices);
}

/**
 * The texts of a set, in the order of the kinds.
 * @param dateOf the day of a mapping table, such as 2026-01-23
 */
export function noticeTexts(notices: Notices, dateOf: (kind: MappingKind) => string): readonly string[] {
  return noticeKinds.flatMap((kind) =>
    (notices & noticeOf[kind]) === 0 ? [] : [mappingTable[kind].notice?.(dateOf(kind)) ?? ''],
  );
}
