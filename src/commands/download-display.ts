/** Shows the progress of downloads: a bar on a terminal, a line every few seconds elsewhere. */
import type { Fetching } from '../loader/command/fetch/fetch-update.ts';
import type { PublishedFile } from '../loader/command/fetch/publishers.ts';
import { type ProgressDisplay, progressDisplay } from './load-progress.ts';

interface DownloadDisplay extends Pick<ProgressDisplay, 'message' | 'stop'> {
  /** Shows the progress. @returns the downloaded share of all bytes, 0 to 1 */
  update(fetching: Fetching): number;
}

/** @param files to be downloaded; those of unknown size don't count towards the share */
export function downloadDisplay(files: readonly PublishedFile[]): DownloadDisplay {
  const display = progressDisplay();
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
