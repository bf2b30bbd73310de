/** Runs `lei history` over small published sets, in the given order. */
import { type Operator, type Publishing, publish } from './publishing.ts';

export function recover(someone: Operator, publishings: readonly Publishing[]) {
  const files = publishings.flatMap((publishing) => publish(someone.dataDir, publishing));
  return someone.loadFiles(files, { purpose: 'history' });
}
