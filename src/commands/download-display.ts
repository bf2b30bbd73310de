/** How far downloads are: a bar on a terminal, a line every few seconds elsewhere. */
import type { Fetching } from '../loader/command/fetch/fetch-update.ts';
import type { PublishedFile } from '../loader/command/fetch/publishers.ts';
import { type ProgressDisplay, progressDisplay } from './load-progress.ts';

export interface DownloadDisplay extends Pick<ProgressDisplay, 'message' | 'stop'> {
  /** Shows it and gives the share of all bytes that are here, 0 to 1. */
  update(fetching: Fetching): number;
}

/** @param files what is to be downloaded; the shares of those without a known size are not counted */
export function downloadDisplay(
  files: readonly PublishedFile[],
  display = progressDisplay(),
): DownloadDisplay {
  const bytesTotal = files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const arrived = new Map<string, number>();
  return {
    update({ file, bytes, bytesInAll }) {
      if (bytesInAll !== null) arrived.set(file, bytes);
      const here = [...arrived.values()].reduce((sum, each) => sum + each, 0);
      const progress = bytesTotal === 0 ? 0 : Math.min(1, here / bytesTotal);
      display.update({ phase: `downloading ${file}`, progress, bytes: here, bytesTotal, rows: 0 });
      return progress;
    },
    message: display.message,
    stop: display.stop,
  };
}
