/** A bare Elysia with routes that answer the captured bytes with two headers. */
import { Elysia } from 'elysia';
import { announce, readCaptured } from './capture.ts';

const bodies = readCaptured(process.argv[2] ?? '');
const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' };
const answer = (path: string) => {
  const body = bodies.get(path);
  return body === undefined ? new Response('not captured', { status: 404 }) : new Response(body, { headers });
};

const app = new Elysia()
  .get('/api/v1/lei/:lei', ({ params }) => answer(`/api/v1/lei/${params.lei}`))
  .get('/api/v1/lei/:lei/relationships', ({ params }) => answer(`/api/v1/lei/${params.lei}/relationships`))
  .get('/api/v1/isin/:isin', ({ params }) => answer(`/api/v1/isin/${params.isin}`))
  .get('/api/v1/search', ({ request }) => answer(request.url.slice(request.url.indexOf('/api/'))))
  .listen({ port: 0, hostname: '127.0.0.1' });
announce(app.server?.port);
