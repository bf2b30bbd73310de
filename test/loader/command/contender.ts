/**
 * A process that takes the load lock again and again, in competition with others like it. Each time it leaves a dead
 * holder's lock behind, which the next one has to replace. The exit status is 1 if another process held the lock at the
 * same time.
 */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLoadLock } from '../../../src/loader/command/load-lock.ts';
import { LoadFailure } from '../../../src/loader/load-request.ts';
import { layout } from '../../../src/publication/layout.ts';

const [dataDir = '', times = ''] = process.argv.slice(2);
const paths = layout(dataDir);
const alone = join(dataDir, 'alone');
const dying = join(dataDir, `dying-${process.pid}`);

async function hold(): Promise<void> {
  // Fails if another process is in here.
  closeSync(openSync(alone, 'wx'));
  await new Promise(setImmediate);
  rmSync(alone);
  // No system gives a process such a high id.
  writeFileSync(dying, '{"pid":99999999,"began":"","since":"2024-05-04T00:00:00Z"}');
  renameSync(dying, paths.loadLock);
}

for (let held = 0; held < Number(times); ) {
  try {
    await withLoadLock(paths, hold);
    held++;
  } catch (error) {
    if (!(error instanceof LoadFailure)) throw error;
    await new Promise(setImmediate);
  }
}
