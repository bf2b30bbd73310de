/**
 * Preloaded into a loader whose disk a test wants full from one phase on: FILL_AT names the phase, FILL_FOLDER the disk's
 * folder. The loader fills the disk as it reports the phase, so it can't be done before the disk is full.
 */
import { fillDisk } from './small-disk.ts';

const { FILL_AT: phase, FILL_FOLDER: folder } = process.env;
if (phase === undefined || folder === undefined) throw new Error('FILL_AT or FILL_FOLDER is missing.');
const { stdout } = process;
const { write } = stdout;
stdout.write = (event: string | Uint8Array) => {
  if (String(event).startsWith(`{"event":"progress","phase":"${phase}"`)) fillDisk(folder);
  return write.call(stdout, event);
};
