/** Tests the messages when a running service does not activate a publication, and what is kept when none runs. */
import { describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { activate, deleteOutdated } from '../../src/commands/activate.ts';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { sealPublication } from '../serve/swap/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';

const id = '20261004T160000Z-00000001';

/** The failure of an activation that the service answers with this error. */
async function failureOf(code: string, message: string): Promise<string> {
  const paths = layout(temporaryFolder('activation'));
  sealPublication(paths, id);
  const client = { send: async () => ({ ok: false, code, message }) as const };
  const failure = await activate(paths, id, 'forward', client).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'CommandFailure', code });
  expect(readPointer(paths)).toBeNull();
  return failure instanceof Error ? failure.message : '';
}

describe('a publication that the running service did not activate', () => {
  test.each([
    ['closed', 'The running service gave no answer before it closed the connection.'],
    ['timeout', 'The running service gave no answer within 300000 ms.'],
    ['shutting-down', 'The service is shutting down.'],
    ['pointer-failed', 'ENOSPC: no space left on device, write'],
  ])('is called sound, with the next step, if the reason lies elsewhere (%s)', async (code, message) => {
    const said = await failureOf(code, message);
    expect(said).toStartWith(`The running service did not switch to ${id}: ${message}`);
    expect(said).toEndWith(` The publication itself is complete and sound; lei activate ${id} activates it.`);
  });

  test.each(['missing', 'damaged', 'newer-format', 'open-failed'])(
    'is not called sound if it cannot be served (%s)',
    async (code) => {
      expect(await failureOf(code, 'No.')).toBe(`The running service did not switch to ${id}: No.`);
    },
  );
});

test('a rollback skips publications that have since been deleted or damaged', async () => {
  const dataDir = temporaryFolder('activation');
  const paths = layout(dataDir);
  const [oldest = '', deleted = '', damaged = '', newest = ''] = [1, 2, 3, 4].map(
    (n) => `20261004T160000Z-0000000${n}`,
  );
  for (const each of [oldest, deleted, damaged, newest]) {
    sealPublication(paths, each);
    movePointer(paths, each, new Date(), readPointer(paths));
  }
  rmSync(paths.publication(deleted), { recursive: true });
  writeFileSync(paths.environment(damaged), 'cut');
  expect(await leiJson(dataDir, 'rollback')).toMatchObject({
    code: 0,
    json: { publication: { id: oldest, active: true }, from: newest, served: false },
  });
  expect(readPointer(paths)?.id).toBe(oldest);
});

test('a rollback undoes the last activation, also that of an older publication, and no rollback returns to what another one has left', async () => {
  const dataDir = temporaryFolder('activation');
  const paths = layout(dataDir);
  const ids = [1, 2, 3].map((n) => `20261004T160000Z-0000000${n}`);
  const [first = '', second = '', third = ''] = ids;
  for (const each of ids) sealPublication(paths, each);
  for (const each of [first, second, first, third])
    expect((await leiJson(dataDir, 'activate', each)).code).toBe(0);
  const rollBack = async () => {
    const { json } = await leiJson(dataDir, 'rollback');
    return isRolledBack(json) ? json.publication.id : json;
  };
  expect(await rollBack()).toBe(first);
  expect(await rollBack()).toBe(second);
  expect((await leiJson(dataDir, 'activate', third)).code).toBe(0);
  expect(await rollBack()).toBe(second);
  expect(await rollBack()).toMatchObject({ error: { code: 'no-previous' } });
});

function isRolledBack(value: unknown): value is { readonly publication: { readonly id: string } } {
  return typeof value === 'object' && value !== null && 'publication' in value;
}

test('the active publication, the previous one and those that were never active are never deleted', async () => {
  const keptOf = async (keep: number) => {
    const paths = layout(temporaryFolder('activation'));
    for (const n of [1, 2, 3, 4, 5]) {
      sealPublication(paths, `20261004T160000Z-0000000${n}`);
      if (n < 5) movePointer(paths, `20261004T160000Z-0000000${n}`, new Date(), readPointer(paths));
    }
    await deleteOutdated(paths, keep);
    return sealedIds(paths)
      .map((kept) => Number(kept.slice(-1)))
      .sort();
  };
  expect(await keptOf(1)).toEqual([3, 4, 5]);
  expect(await keptOf(2)).toEqual([3, 4, 5]);
  expect(await keptOf(3)).toEqual([2, 3, 4, 5]);
});
