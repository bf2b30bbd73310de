/** Runs a thread for mapped-file.test.ts: maps a file, says so, and ends as ordered. */
import { MappedFile } from '../../src/system/mapped-file.ts';

declare const self: Worker;

let mapped: MappedFile | null = null;
self.onmessage = ({ data: order }: MessageEvent<string>) => {
  if (order === 'fail') throw new Error('A bug.');
  if (order === 'hang') for (;;);
  mapped = new MappedFile(order, 'scattered');
  self.postMessage(mapped.uint32At(0));
};
