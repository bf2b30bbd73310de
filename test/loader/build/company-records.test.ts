/** Records that a load keeps until it writes its rows are read back as they came, short or long. */
import { expect, test } from 'bun:test';
import { CompanyRecords, openShared } from '../../../src/loader/build/company-records.ts';
import { temporaryFolder } from '../../support/folders.ts';

const provenance = Buffer.from('\n0,0,0');
/** The second and the third are longer than what is read at once. */
const records = [1_000, 300_000, 600_000, 40].map((length, index) => Buffer.alloc(length, 97 + index));

test('long records are read at once, after short ones and in any order', () => {
  const kept = new CompanyRecords(temporaryFolder('company-records'), false);
  for (const [index, record] of records.entries()) kept.add(index + 1, record, provenance);
  const shared = kept.shared();
  for (const order of [
    [1, 2, 3, 4],
    [2, 1, 4, 3],
    [3, 4, 2, 1],
  ]) {
    const elsewhere = openShared(shared);
    for (const read of [(entity: number) => kept.read(entity), elsewhere]) {
      const found = order.map((entity) => {
        const glimpse = read(entity);
        return glimpse === null ? null : Buffer.from(glimpse.bytes.subarray(0, glimpse.length)).toString();
      });
      expect(found).toEqual(order.map((entity) => `${records[entity - 1]}${provenance}`));
    }
  }
  kept.remove();
  kept.close();
});
