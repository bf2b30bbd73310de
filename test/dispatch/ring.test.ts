import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RingReader, RingWriter, ringMemory } from '../../src/dispatch/line.ts';

const bytesOfRing = 256;

function ring() {
  const memory = ringMemory(bytesOfRing);
  return { writer: new RingWriter(memory), reader: new RingReader(memory) };
}

/** Writes a record whose every byte is `mark`. @returns whether there was room */
function write(writer: RingWriter, length: number, mark: number): boolean {
  const at = writer.reserve(length);
  if (at < 0) return false;
  writer.bytes.fill(mark, at, at + length);
  return true;
}

/** The next record, as its length and the one value of its bytes. */
function read(reader: RingReader): { length: number; marks: number[] } | null {
  const at = reader.next();
  if (at < 0) return null;
  return {
    length: reader.length,
    marks: [...new Set<number>(reader.bytes.subarray(at, at + reader.length))],
  };
}

/** Fills a ring of four records with numbered ones. @returns their numbers */
function fill(writer: RingWriter, length: number, first: number): readonly number[] {
  const numbers: number[] = [];
  // One more than there is room for, to notice a ring that overfills.
  for (let at = writer.reserve(length); at >= 0 && numbers.length <= 4; at = writer.reserve(length)) {
    writer.bytes.writeInt32LE(first + numbers.length, at);
    numbers.push(first + numbers.length);
  }
  writer.publish();
  return numbers;
}

/** Reads all available numbered records, and frees their memory. */
function numbersIn(reader: RingReader, length: number): readonly number[] {
  const numbers: number[] = [];
  for (let at = reader.next(); at >= 0 && numbers.length <= 4; at = reader.next()) {
    numbers.push(reader.length === length ? reader.bytes.readInt32LE(at) : Number.NaN);
  }
  reader.free();
  return numbers;
}

type Step =
  | { readonly does: 'write'; readonly length: number }
  | { readonly does: 'publish' | 'read' | 'free' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('write' as const), length: fc.nat({ max: 100 }) }),
  fc.record({ does: fc.constantFrom('publish' as const, 'read' as const, 'free' as const) }),
);

interface Content {
  readonly length: number;
  readonly marks: number[];
}

/** A model of a ring beside a real one: each step changes both, and the records read are compared. */
class Model {
  readonly #real = ring();
  readonly #unpublished: Content[] = [];
  readonly #published: Content[] = [];
  #mark = 0;

  take(step: Step): void {
    switch (step.does) {
      case 'write':
        this.#mark = (this.#mark + 1) % 256;
        if (!write(this.#real.writer, step.length, this.#mark)) return;
        this.#unpublished.push({ length: step.length, marks: step.length === 0 ? [] : [this.#mark] });
        return;
      case 'publish':
        this.#real.writer.publish();
        this.#published.push(...this.#unpublished.splice(0));
        return;
      case 'read':
        expect(read(this.#real.reader)).toEqual(this.#published.shift() ?? null);
        return;
      case 'free':
        this.#real.reader.free();
    }
  }
}

describe('a ring', () => {
  test('returns every record once, in order and complete, for any sequence of writes, reads and frees', () => {
    fc.assert(
      // Runs of the default size would hardly reach the end of the ring.
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const model = new Model();
        for (const each of steps) model.take(each);
      }),
    );
  });

  test('has no room until memory is freed, and then has room again', () => {
    const { writer, reader } = ring();
    let records = 0;
    while (write(writer, 60, records)) records++;
    expect(records).toBe(4);
    writer.publish();
    for (let index = 0; index < records; index++) expect(read(reader)?.marks).toEqual([index]);
    expect(write(writer, 60, 9)).toBe(false);
    reader.free();
    expect(write(writer, 60, 9)).toBe(true);
  });

  test('refuses a record larger than itself and stays usable', () => {
    const { writer, reader } = ring();
    expect(write(writer, bytesOfRing, 1)).toBe(false);
    expect(write(writer, bytesOfRing - 4, 2)).toBe(true);
    writer.publish();
    expect(read(reader)).toEqual({ length: bytesOfRing - 4, marks: [2] });
  });

  // Records that fill the ring to the last byte, and records that leave a skipped rest.
  test.each([2 ** 18 - 4, 2 ** 18 - 100])(
    'continues when its counts wrap, as they do every four gigabytes, with records of %d bytes',
    (length) => {
      const memory = ringMemory(2 ** 20);
      const [writer, reader] = [new RingWriter(memory), new RingReader(memory)];
      let written = 0;
      while (written * length < 5 * 2 ** 30) {
        const numbers = fill(writer, length, written);
        const there = numbersIn(reader, length);
        if (numbers.length < 3 || `${there}` !== `${numbers}`) {
          throw new Error(`Of the records ${numbers} those that came were ${there}, from ${written} on.`);
        }
        written += numbers.length;
      }
    },
  );

  test('refuses a size with which its counts do not wrap', () => {
    expect(() => ringMemory(100)).toThrow('100 bytes');
  });
});
