import { describe, expect, test } from 'bun:test';
import { readRequestBody } from '../../../src/http/bodies/request-body.ts';

const patient = { bytesMax: 1_000, msMax: 60_000 };

/** A request whose body is the given stream. */
function posted(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Request {
  return new Request('http://x/', { method: 'POST', body: new ReadableStream({ pull }) });
}

function bytes(count: number): Uint8Array {
  return new Uint8Array(count).fill('a'.charCodeAt(0));
}

describe('a body', () => {
  test('is read completely, however it is cut into pieces', async () => {
    const euro = Buffer.from('€uro');
    let sent = 0;
    const request = posted((controller) => {
      const at = sent++;
      if (at < euro.length) controller.enqueue(euro.subarray(at, at + 1));
      else controller.close();
    });
    expect(await readRequestBody(request, patient)).toEqual({ ok: true, text: '€uro' });
    expect(await readRequestBody(new Request('http://x/'), patient)).toEqual({ ok: true, text: '' });
  });

  test('may have exactly the largest size, and is not read further once it is larger', async () => {
    const exact = new Request('http://x/', { method: 'POST', body: bytes(1_000) });
    expect(await readRequestBody(exact, patient)).toMatchObject({ ok: true });
    let pieces = 0;
    const endless = posted((controller) => {
      pieces++;
      controller.enqueue(bytes(100));
    });
    expect(await readRequestBody(endless, patient)).toEqual({ ok: false, fault: 'too-long' });
    expect(pieces).toBeLessThan(20);
  });

  test('that is too long is read to its end where it may be, and no further than that', async () => {
    const limits = { ...patient, discardedBytesMax: 5_000 };
    const read = async (length: number) => {
      let left = length / 100;
      const request = posted((controller) =>
        left-- > 0 ? controller.enqueue(bytes(100)) : controller.close(),
      );
      expect(await readRequestBody(request, limits)).toEqual({ ok: false, fault: 'too-long' });
      return left;
    };
    expect(await read(5_000)).toBe(-1);
    expect(await read(1e6)).toBeGreaterThan(9_000);
  });

  test('that stops arriving is given up', async () => {
    const stuck = posted((controller) => {
      controller.enqueue(bytes(1));
      return new Promise(() => undefined);
    });
    expect(await readRequestBody(stuck, { ...patient, msMax: 20 })).toEqual({ ok: false, fault: 'too-slow' });
  });

  test('that breaks off is reported as such', async () => {
    const broken = posted((controller) => controller.error(new Error('gone')));
    expect(await readRequestBody(broken, patient)).toEqual({ ok: false, fault: 'broken-off' });
  });

  test('is given up if there is no memory for a piece of it', async () => {
    let room = 250;
    const hasRoom = (pieceBytes: number) => {
      room -= pieceBytes;
      return room >= 0;
    };
    const request = posted((controller) => controller.enqueue(bytes(100)));
    expect(await readRequestBody(request, { ...patient, hasRoom })).toEqual({ ok: false, fault: 'no-room' });
  });
});
