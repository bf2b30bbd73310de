/** Tests what several rows of a code make of its entry. */
import { expect, test } from 'bun:test';
import { openForBuilding, syncAndClose } from '../../src/lmdb.ts';
import { putCode, readCodeList } from '../../src/store/code-lists.ts';
import { openTables } from '../../src/store/tables.ts';
import { temporaryFolder } from '../support/folders.ts';

test('a row that repeats an item of its code, as a second file of the list does, adds nothing', async () => {
  const environment = openForBuilding(temporaryFolder('code-lists'));
  const { codeLists } = openTables(environment);
  const row = (jurisdiction: string) => ({
    code: 'RA000585',
    attributes: { website: null },
    list: 'jurisdictions' as const,
    items: [{ country: 'United Kingdom', countryCode: 'GB', jurisdiction }],
  });
  const jurisdictions = ['England', 'Wales', 'England', 'Wales', 'Scotland'];
  const isNew = jurisdictions.map((name) => putCode(codeLists, 'registration-authorities', row(name)));
  expect(isNew).toEqual([true, false, false, false, false]);
  const [entry] = readCodeList(codeLists, 'registration-authorities');
  expect(entry?.attributes['jurisdictions']).toEqual(
    ['England', 'Wales', 'Scotland'].flatMap((name) => row(name).items),
  );
  await syncAndClose(environment);
});
