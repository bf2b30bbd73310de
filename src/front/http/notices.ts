/** `meta.licenseNotice`: what the sources of a body's data require to be said with it. */
import type { MappingKind } from '../../lei/identifier-kinds.ts';
import { type Notices, noticeTexts } from '../../lei/notices.ts';
import type { Manifest } from '../../publication/manifest.ts';

/** The notice for one body: the operator's own (CC0 for LEI data), then those of the mapping tables that it quotes. */
export function licenseNotice(base: string, notices: Notices, manifest: Manifest): string {
  return [base, ...noticeTexts(notices, (kind) => tableDate(manifest, kind))].join(' ');
}

/** The day of the newest file of that kind; of the publication itself where no file tells. */
function tableDate(manifest: Manifest, kind: MappingKind): string {
  const dates = manifest.files
    .filter((file) => file.kind === kind)
    .map((file) => file.contentDate)
    .filter((date) => date !== null);
  const newest = dates.sort().at(-1) ?? manifest.sourcePublishedAt;
  return newest.slice(0, 10);
}
