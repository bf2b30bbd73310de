/**
 * Plants single faults into the files of a publication and seals them again, as if a load had written them: `lei verify` must
 * find each by what the files hold. LONG_FAULTS plants more of them.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { checksum } from '../../../../src/bytes/hash.ts';
import { DamagedFile, ExpectedFailure } from '../../../../src/errors.ts';
import { verifySealed } from '../../../../src/loader/command/verify/verify-sealed.ts';
import { layout } from '../../../../src/publication/layout.ts';
import { blockEntities, type ColumnPlace, columnPlaces } from '../../../../src/store/columns/layout.ts';
import { rowChecksum } from '../../../../src/store/company-file.ts';
import {
  cellBytes,
  cellsOfCheck,
  checkBytes,
  checksFor,
  checksFrom,
  columnsFrom,
  headerAt,
  headerBytes,
  placeBytes,
  placesFrom,
  placeUnit,
  rowAt,
  rowHeadBytes,
  rowsFrom,
} from '../../../../src/store/company-file-layout.ts';
import { bic, company, isin, operator, relationship } from '../../publishing.ts';
import { reseal } from '../../resealing.ts';

const faults = Number(process.env['LONG_FAULTS'] ?? 6);
const entities = 60;
const someone = operator();
const paths = layout(someone.dataDir);
let id = '';
let sound = Buffer.alloc(0);

beforeAll(async () => {
  const numbers = Array.from({ length: entities }, (_, index) => index + 1);
  const companies = numbers.map((number) => company(number));
  await someone.load({
    at: '2024-05-04T00:00:00Z',
    companies,
    relationships: { kept: [relationship(1, 2)] },
    isins: numbers.map((number) => [number, isin(number)]),
    bics: numbers.map((number) => [number, bic(number)]),
  });
  // Rows that moved leave free ones behind.
  const changed = companies.slice(0, 20).map((_, index) => company(index + 1, { city: 'LEEDS'.repeat(20) }));
  const delta = { at: '2024-05-05T00:00:00Z', since: '2024-05-04T00:00:00Z', companies: changed };
  id = (await someone.load(delta, { delta: true })).manifest.id;
  sound = readFileSync(paths.companies(id));
});

/** Repeats from a seed (mulberry32). @returns a whole number below a limit, each time another one */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
type Random = ReturnType<typeof randomNumbers>;

/** Where a bit of an entity's code stands in a column of the first block. */
function bitOfCode({ bits, isSliced }: ColumnPlace, entity: number, bit: number): number {
  return isSliced ? bit * blockEntities + entity : entity * bits + bit;
}

function flipBit(bytes: Buffer, at: number, random: Random): void {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
}

const cellCount = (bytes: Buffer) => bytes.readUInt32LE(headerAt.cells);
const placeAt = (bytes: Buffer, entity: number) => placesFrom(cellCount(bytes)) + entity * placeBytes;
const rowOf = (bytes: Buffer, entity: number) => bytes.readUInt32LE(placeAt(bytes, entity)) * placeUnit;
const someEntity = (random: Random) => 1 + random(entities);

/** Makes the checksum of a row fit. */
function settleRow(bytes: Buffer, at: number): void {
  const [entity, record, mappings] = [rowAt.entity, rowAt.record, rowAt.mappings].map((place) =>
    bytes.readUInt32LE(at + place),
  );
  const content = bytes.subarray(at + rowHeadBytes, at + rowHeadBytes + (record ?? 0) + (mappings ?? 0));
  bytes.writeUInt32LE(rowChecksum(entity ?? 0, record ?? 0, mappings ?? 0, content), at + rowAt.check);
}

/** Makes the checksums of all cells and of the header fit. */
function settleRest(bytes: Buffer): void {
  const cells = cellCount(bytes);
  for (let check = 0; check < checksFor(cells); check++) {
    const { from, to } = cellsOfCheck(check, cells);
    bytes.writeUInt32LE(checksum(bytes.subarray(from, to)), checksFrom(cells) + check * checkBytes);
  }
  bytes.writeUInt32LE(checksum(bytes.subarray(0, headerAt.check)), headerAt.check);
}

/** Each changes one thing, with all checksums as they then are. */
const kinds: Readonly<Record<string, (bytes: Buffer, random: Random) => void>> = {
  'a byte of a record or of mappings': (bytes, random) => {
    const at = rowOf(bytes, someEntity(random));
    const length = bytes.readUInt32LE(at + rowAt.record) + bytes.readUInt32LE(at + rowAt.mappings);
    flipBit(bytes, at + rowHeadBytes + random(length), random);
    settleRow(bytes, at);
  },
  'a text that no load packs': (bytes, random) => {
    const at = rowOf(bytes, someEntity(random));
    bytes.write('\\', bytes.indexOf('\tL', at) + 1);
    settleRow(bytes, at);
  },
  'mappings that are gone': (bytes, random) => {
    const at = rowOf(bytes, someEntity(random));
    bytes.writeUInt32LE(0, at + rowAt.mappings);
    settleRow(bytes, at);
  },
  'the boundary of record and mappings': (bytes, random) => {
    const at = rowOf(bytes, someEntity(random));
    bytes.writeUInt32LE(bytes.readUInt32LE(at + rowAt.record) + 1, at + rowAt.record);
    bytes.writeUInt32LE(bytes.readUInt32LE(at + rowAt.mappings) - 1, at + rowAt.mappings);
    settleRow(bytes, at);
  },
  'a row without its checksum': (bytes, random) =>
    flipBit(bytes, rowOf(bytes, someEntity(random)) + random(rowHeadBytes + 40), random),
  "another company's place": (bytes, random) => {
    const entity = someEntity(random);
    const other = (entity % entities) + 1;
    bytes.writeUInt32LE(bytes.readUInt32LE(placeAt(bytes, other)), placeAt(bytes, entity));
  },
  'a cell that leads elsewhere': (bytes, random) => {
    const taken = Array.from(
      { length: cellCount(bytes) },
      (_, cell) => headerBytes + cell * cellBytes,
    ).filter((at) => bytes.readUInt32LE(at + 4) !== 0);
    const [one = 0, other = 0] = [taken[random(taken.length)], taken[random(taken.length)]];
    const place = one === other ? 0 : bytes.readUInt32LE(other + 4);
    bytes.writeUInt32LE(place, one + 4);
  },
  'a hash of a cell': (bytes, random) => {
    const taken = Array.from(
      { length: cellCount(bytes) },
      (_, cell) => headerBytes + cell * cellBytes,
    ).filter((at) => bytes.readUInt32LE(at + 4) !== 0);
    flipBit(bytes, (taken[random(taken.length)] ?? 0) + random(4), random);
  },
  'a code of a column': (bytes, random) => {
    const column = columnPlaces[random(columnPlaces.length)];
    if (column === undefined) throw new Error('There is no such column.');
    const block = columnsFrom(cellCount(bytes));
    const bit = bitOfCode(column, someEntity(random), random(column.bits));
    const at = block + column.from + Math.floor(bit / 8);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit % 8)), at);
    const codes = bytes.subarray(block + column.from, block + column.from + column.bytes);
    bytes.writeUInt32LE(checksum(codes), block + column.check);
  },
  'a number of the header': (bytes, random) => {
    const numbers = [
      headerAt.lastEntity,
      headerAt.left,
      headerAt.texts,
      headerAt.textsRoom,
      headerAt.textsBytes,
    ];
    flipBit(bytes, (numbers[random(numbers.length)] ?? 0) + random(2), random);
  },
  'the beginning of a list of free rows': (bytes, random) =>
    bytes.writeUInt32LE(1 + random(bytes.length / placeUnit), headerAt.free + 4 * random(128)),
  'the room of a row': (bytes, random) => {
    const at = rowOf(bytes, someEntity(random)) + rowAt.room;
    bytes.writeUInt32LE(bytes.readUInt32LE(at) + 16 * (1 + random(4)), at);
  },
  'a file that is cut short': (bytes, random) => {
    const at = rowsFrom(cellCount(bytes)) + random(bytes.length - rowsFrom(cellCount(bytes)));
    // As if the file had never been longer: what is behind is gone.
    bytes.fill(0, at);
  },
};

/** @returns what is wrong, as `lei verify` says it */
async function problemsWith(bytes: Buffer): Promise<readonly string[]> {
  writeFileSync(paths.companies(id), bytes);
  await reseal(someone, id);
  try {
    return (await verifySealed(paths, id, () => {})).problems;
  } catch (error) {
    // A file that can't even be opened.
    if (error instanceof DamagedFile || error instanceof ExpectedFailure) return [error.message];
    throw error;
  }
}

test('a sound publication has no problems', async () => {
  expect(await problemsWith(sound)).toEqual([]);
});

describe.each(Object.entries(kinds))('of the faults "%s"', (_what, plant) => {
  test('each is found', async () => {
    for (let seed = 1; seed <= faults; seed++) {
      const bytes = Buffer.from(sound);
      plant(bytes, randomNumbers(seed));
      settleRest(bytes);
      if (bytes.equals(sound)) continue;
      expect({ seed, found: (await problemsWith(bytes)).length > 0 }).toEqual({ seed, found: true });
    }
  });
});

test('each flipped bit of used bytes is found, without the digest of the file', async () => {
  let found = 0;
  const seeds = Array.from({ length: faults * 4 }, (_, index) => index + 1);
  for (const seed of seeds) {
    const random = randomNumbers(seed);
    const bytes = Buffer.from(sound);
    flipBit(bytes, random(bytes.length), random);
    if ((await problemsWith(bytes)).length > 0) found++;
  }
  // The rest of the bytes is room for more companies and longer records.
  expect(found / seeds.length).toBeGreaterThan(0.5);
});
