/** `lei history` over small publishings, in the order given. */
import { type Operator, type Publishing, publish } from './publishing.ts';

export function recover(someone: Operator, publishings: readonly Publishing[]) {
  const files = publishings.flatMap((publishing) => publish(someone.dataDir, publishing));
  return someone.loadFiles(files, { purpose: 'history' });
}
