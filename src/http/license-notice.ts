/** The notices that a body of data must carry. */
import type { MappingKind } from '../lei/identifier-kinds.ts';
import { type Notices, noticeTexts } from '../lei/notices.ts';
import { sourceTimeOf } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';

/**
 * `meta.licenseNotice` of one body: the operator's own notice (CC0 for LEI data), then those of the mapping tables that
 * it quotes.
 */
export function licenseNotice(base: string, notices: Notices, manifest: Manifest): string {
  return [base, ...noticeTexts(notices, (kind) => tableDate(manifest, kind))].join(' ');
}

/**
 * The date of the newest file of a kind. Without one, the date of the publication that read the table, which may be an
 * earlier one: a delta keeps the tables that it does not replace.
 */
function tableDate({ files, sourcePublishedAt }: Manifest, kind: MappingKind): string {
  const ofKind = files.filter((file) => file.kind === kind);
  const dates = ofKind.map(({ contentDate }) => contentDate).filter((date) => date !== null);
  const readBy = ofKind[0]?.publication;
  const readAt = readBy === undefined ? sourcePublishedAt : sourceTimeOf(readBy);
  return (dates.sort().at(-1) ?? readAt).slice(0, 10);
}
