/**
 * Entry point of the loader process: reads a request on standard input and writes events on standard output, one JSON
 * object per line.
 */
import { serveLoad } from '../src/loader/process/serve-load.ts';

await serveLoad(process.stdin, process.stdout);
