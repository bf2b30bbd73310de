/** Entry point of the loader process: a request on standard input, events on standard output, a JSON object a line. */
import { serveLoad } from '../src/loader/process/serve-load.ts';

await serveLoad(process.stdin, process.stdout);
