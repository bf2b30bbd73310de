/** Entry point of a thread that digests one large file, beside the loader's own thread. */
import { digestFile } from '../src/publication/digest-file.ts';

declare const self: Worker;

self.onmessage = async ({ data: path }: MessageEvent<string>) => self.postMessage(await digestFile(path));
