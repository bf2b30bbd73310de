/** The baseline: a bare `Bun.serve` that answers the captured bytes from memory with two headers. */
import { announce, pathOf, readCaptured } from './capture.ts';

const bodies = readCaptured(process.argv[2] ?? '');
const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' };

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch(request) {
    const body = bodies.get(pathOf(request.url));
    return body === undefined
      ? new Response('not captured', { status: 404 })
      : new Response(body, { headers });
  },
});
announce(server.port);
