/** Reads small answers of a publisher: the JSON that describes files, and the date of a file. */
import { FetchFailure } from './failures.ts';
import { type OpenResponse, openResponse, type Transport, withRetries } from './transport.ts';

/** Last-Modified of an address. It asks with GET, because some servers refuse HEAD. @throws FetchFailure */
export async function askForDate(transport: Transport, url: string): Promise<Date> {
  const date = await withRetries(transport, url, async () => {
    const { response, close } = await openResponse(transport, url);
    close();
    return response.headers.get('last-modified');
  });
  if (date !== null && !Number.isNaN(Date.parse(date))) return new Date(date);
  throw new FetchFailure('unexpected-answer', `${url} has no valid Last-Modified header.`);
}

/** The JSON of an answer. Null members are left out: both mean that something is not published. @throws FetchFailure */
export async function askForJson(transport: Transport, url: string): Promise<unknown> {
  const text = await withRetries(transport, url, async () => {
    const exchange = await openResponse(transport, url);
    try {
      return await boundedText(exchange, url, transport.limits.answerBytesMax);
    } finally {
      exchange.close();
    }
  });
  try {
    return JSON.parse(text, (_name, value: unknown) => value ?? undefined);
  } catch {
    const beginning = JSON.stringify(text.slice(0, 60));
    throw new FetchFailure('unexpected-answer', `${url} answered ${beginning} instead of JSON.`);
  }
}

async function boundedText(exchange: OpenResponse, url: string, bytesMax: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of exchange.body()) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > bytesMax) {
      throw new FetchFailure('unexpected-answer', `${url} answered with more than ${bytesMax} bytes.`);
    }
  }
  return Buffer.concat(pieces).toString('utf8');
}
