/** A thread that maps a file, says so, and ends as it is told to: for mapped-file.test.ts. */
import { MappedFile } from '../src/mapped-file.ts';

declare const self: Worker;

let mapped: MappedFile | null = null;
self.onmessage = ({ data: told }: MessageEvent<string>) => {
  if (told === 'fail') throw new Error('A bug.');
  if (told === 'hang') for (;;);
  mapped = new MappedFile(told, true);
  self.postMessage(mapped.uint32At(0));
};
