import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { RingReader, RingWriter, ringMemory } from '../../src/protocol/ring.ts';

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

/** The next record as its length and its bytes' one value. */
function read(reader: RingReader): { length: number; marks: number[] } | null {
  const at = reader.next();
  if (at < 0) return null;
  return {
    length: reader.length,
    marks: [...new Set<number>(reader.bytes.subarray(at, at + reader.length))],
  };
}

type Step =
  | { readonly does: 'write'; readonly length: number }
  | { readonly does: 'publish' | 'read' | 'give back' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('write' as const), length: fc.nat({ max: 100 }) }),
  fc.record({ does: fc.constantFrom('publish' as const, 'read' as const, 'give back' as const) }),
);

interface Content {
  readonly length: number;
  readonly marks: number[];
}

/** What a ring must do, beside a real one: steps change both, and what is read is compared. */
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
      case 'give back':
        this.#real.reader.giveBack();
    }
  }
}

describe('a ring', () => {
  test('hands every record over once, in order and whole, whatever is written, read and given back when', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const model = new Model();
        for (const each of steps) model.take(each);
      }),
    );
  });

  test('has no room for more than was given back, and room again once it was', () => {
    const { writer, reader } = ring();
    let records = 0;
    while (write(writer, 60, records)) records++;
    expect(records).toBe(4);
    writer.publish();
    for (let index = 0; index < records; index++) expect(read(reader)?.marks).toEqual([index]);
    expect(write(writer, 60, 9)).toBe(false);
    reader.giveBack();
    expect(write(writer, 60, 9)).toBe(true);
  });

  test('refuses a record larger than itself and stays usable', () => {
    const { writer, reader } = ring();
    expect(write(writer, bytesOfRing, 1)).toBe(false);
    expect(write(writer, bytesOfRing - 4, 2)).toBe(true);
    writer.publish();
    expect(read(reader)).toEqual({ length: bytesOfRing - 4, marks: [2] });
  });

  test('has a size that its counts can go round with', () => {
    expect(() => ringMemory(100)).toThrow('100 bytes');
  });
});
