/** Collects packed companies for the search thread: numbers and texts side by side, in transferable memory. */
import { ByteWriter } from '../bytes/byte-writer.ts';
import { withRoom } from '../bytes/memory.ts';
import type { Glimpse } from '../lmdb.ts';

export interface CompanyTexts {
  readonly entities: Uint32Array<ArrayBuffer>;
  /** The end of each text in `bytes`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** UTF-8, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function createCompanyTexts() {
  let entities: number[] = [];
  let ends: number[] = [];
  const texts = new ByteWriter();
  return {
    add(entity: number, text: Uint8Array): void {
      texts.append(text);
      entities.push(entity);
      ends.push(texts.length);
    },
    /** Returns the texts added since the last call. */
    taken(): CompanyTexts {
      const bytes = new Uint8Array(texts.view());
      const taken = { entities: Uint32Array.from(entities), ends: Uint32Array.from(ends), bytes };
      [entities, ends] = [[], []];
      texts.clear();
      return taken;
    },
  };
}

/** Iterates over the companies of {@link CompanyTexts}; a text is valid until the next. */
export function* textsIn({
  entities,
  ends,
  bytes,
}: CompanyTexts): Generator<[entity: number, text: Glimpse]> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = Buffer.allocUnsafeSlow(4096);
  let from = 0;
  for (let place = 0; place < entities.length; place++) {
    const to = ends[place] ?? from;
    // Copied: views are garbage whose size the collector does not see.
    text = withRoom(text, 0, to - from, Buffer.allocUnsafeSlow);
    all.copy(text, 0, from, to);
    yield [entities[place] ?? 0, { bytes: text, length: to - from }];
    from = to;
  }
}
