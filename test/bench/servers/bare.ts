/**
 * The baseline: a bare `Bun.serve` that answers the captured bytes from memory with two headers. Arguments: the
 * captured bodies, and a port if several servers share one (0 for the first of them).
 */
import { announce, pathOf, readCaptured } from './capture.ts';

const bodies = readCaptured(process.argv[2] ?? '');
const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' };

const sharedPort = process.argv[3];

const server = Bun.serve({
  port: Number(sharedPort ?? 0),
  reusePort: sharedPort !== undefined,
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
