/** Accounts and keys on a disk that is full. */
import { afterEach, describe, expect, test } from 'bun:test';
import { createAccount, leiJson, runLei } from '../support/run-lei.ts';
import { type Served, serve } from '../support/serve.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';

let disk: SmallDisk | null = null;
let served: Served | null = null;
afterEach(async () => {
  served?.kill('SIGKILL');
  await served?.exited;
  disk?.remove();
  served = null;
  disk = null;
});

const another = ['--email', 'bob@example.com', '--company', 'Journeys', '--use', 'Tests'];

async function standing(dataDir: string) {
  const [accounts, keys] = [
    await leiJson(dataDir, 'accounts', 'list'),
    await leiJson(dataDir, 'keys', 'list'),
  ];
  return { accounts: accounts.json, keys: keys.json };
}

describe('on a full disk', () => {
  test('commands that change accounts end with what the system says, and change nothing', async () => {
    disk = smallDisk(8);
    if (disk === null) return;
    const { account, key } = await createAccount(disk.folder, 'ada@example.com');
    const before = await standing(disk.folder);
    const makeRoom = disk.fill();
    const commands = [
      ['accounts', 'suspend', account.id],
      ['accounts', 'create', ...another],
      ['accounts', 'delete', account.id],
      ['keys', 'create', account.id],
      ['keys', 'revoke', key.id],
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await runLei(disk.folder, ...command);
      expect({ command, code, stdout }).toEqual({ command, code: 1, stdout: '' });
      expect(stderr).toContain('lei: The system refuses: ENOSPC: no space left on device');
      expect(stderr).toContain(disk.folder);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
    const revoked = await leiJson(disk.folder, 'keys', 'revoke', key.id);
    expect(revoked.json).toMatchObject({ error: { code: 'no-space' } });
    expect(await standing(disk.folder)).toEqual(before);
    makeRoom();
    expect((await runLei(disk.folder, 'keys', 'revoke', key.id)).code).toBe(0);
  }, 30_000);

  test('a service refuses sign-ups, takes them once there is room, and ends when it is told to', async () => {
    disk = smallDisk(8);
    if (disk === null) return;
    const running = await serve(disk.folder, { LEI_LIMITS: 'enforce' });
    served = running;
    const { folder } = disk;
    const signUp = async (email: string) => {
      const body = new URLSearchParams({ email, company: 'Journeys', use: 'Tests' });
      return (await running.get('/signup', { method: 'POST', body })).status;
    };
    expect(await signUp('ada@example.com')).toBe(200);
    const makeRoom = disk.fill();
    expect(await signUp('bob@example.com')).toBe(503);
    makeRoom();
    expect(await signUp('bob@example.com')).toBe(200);
    disk.fill();
    expect(await signUp('eve@example.com')).toBe(503);
    running.kill('SIGTERM');
    expect(await running.exited).toBe(0);
    const { accounts } = await standing(folder);
    expect(accounts).toHaveLength(2);
    expect(JSON.stringify(accounts)).not.toContain('eve@example.com');
  }, 30_000);
});
