/** Which notices of other publishers an answer calls for: a set of mapping kinds as bits, since every answer has one. */
import { byKind, type MappingKind, mappingKinds, mappingTable } from './identifier-kinds.ts';

/** Bits of {@link noticeOf}; 0 where an answer calls for none. */
export type Notices = number;
export const noNotices: Notices = 0;

/** The kinds whose pairs may be shown only with a notice. */
export const noticeKinds = mappingKinds.filter((kind) => mappingTable[kind].notice !== null);

/** What each kind calls for: one bit or none. */
export const noticeOf: Readonly<Record<MappingKind, Notices>> = byKind(mappingKinds, (kind) =>
  noticeKinds.includes(kind) ? 1 << noticeKinds.indexOf(kind) : noNotices,
);

/** What several kinds together call for. */
export function noticesOf(kinds: readonly MappingKind[]): Notices {
  return kinds.reduce((notices, kind) => notices | noticeOf[kind], noNotices);
}

/**
 * The texts of a set, in the order of the kinds.
 * @param dateOf the day of a mapping table, as 2026-01-23
 */
export function noticeTexts(notices: Notices, dateOf: (kind: MappingKind) => string): readonly string[] {
  return noticeKinds.flatMap((kind) =>
    (notices & noticeOf[kind]) === 0 ? [] : [mappingTable[kind].notice?.(dateOf(kind)) ?? ''],
  );
}
