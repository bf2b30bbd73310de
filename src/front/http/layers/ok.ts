/** Makes the 200 of a data endpoint. */
import type { Coding } from '../../../protocol/questions.ts';
import type { Chosen } from '../exchange.ts';
import type { BodyOf200 } from '../headers.ts';
import type { LayerParts } from './layer.ts';

export function ok(
  exchange: Chosen,
  body: BodyOf200,
  link: string | null,
  tag: string,
  { responses }: Pick<LayerParts, 'responses'>,
): Response {
  if (body instanceof Uint8Array) exchange.bodyBytes = body.length;
  const response = responses.ok(body, answerHeaders(exchange, tag), exchange.publication.lastModified);
  if (link !== null) response.headers.set('Link', link);
  return response;
}

export function coded(response: Response, coding: Coding): Response {
  response.headers.set('Content-Encoding', coding);
  return response;
}

export function answerHeaders({ requestId, limits }: Pick<Chosen, 'requestId' | 'limits'>, tag: string) {
  return { requestId, limits, tag };
}
