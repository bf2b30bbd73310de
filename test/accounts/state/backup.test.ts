import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBackup, writeBackup } from '../../../src/accounts/state/backup.ts';
import { openLocalState } from '../../../src/accounts/state/local-state.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';

test('a backup is refused as a whole if one record in it is invalid, even with a right checksum', async () => {
  const folder = temporaryFolder('backup');
  const path = join(folder, 'accounts.json');
  const now = new Date('2026-11-21T12:00:00Z');
  const store = openLocalState(layout(folder));
  const ada = { email: 'ada@example.com', company: 'Analytical Engines Ltd', use: 'Supplier checks' };
  await store.accounts.create(ada, noOwnLimits, now);
  const written = writeBackup(path, store.accounts, now);
  await store.close();
  expect(readBackup(path)).toEqual({ ok: true, backup: written });

  const text = JSON.stringify(written);
  const [{ digest = '', accountId = '' } = {}] = written.keys;
  const odd = [
    text.replace(digest, 'secret'),
    text.replace('"daily":null', '"daily":-1'),
    text.replace('"daily":null', '"daily":1.5'),
    text.replace('"keyIds":["', '"keyIds":[7,"'),
    text.replace('"createdAt":"2026-11-21T12:00:00Z"', '"createdAt":"yesterday"'),
    text.replace(`"accountId":"${accountId}"`, '"accountId":"acc_ofNobody"'),
    text.replace('"keyIds":["key_', '"keyIds":["key_no'),
    text.replace('"name":null', '"name":7'),
  ];
  const header = JSON.parse(readFileSync(path, 'utf8'));
  const put = (body: string) => {
    const sha256 = createHash('sha256').update(body).digest('hex');
    writeFileSync(path, JSON.stringify({ ...header, sha256, content: JSON.parse(body) }));
  };
  // As versions wrote it when keys had no names.
  put(text.replace('"name":null,', ''));
  expect(readBackup(path)).toEqual({ ok: true, backup: written });
  for (const body of odd) {
    expect(body).not.toBe(text);
    put(body);
    expect(readBackup(path)).toEqual({
      ok: false,
      fault: `${path} does not have accounts and keys of the right form.`,
    });
  }
});
