/** Tests the common behaviour of all commands: help, exit statuses, errors as text and as JSON. */
import { describe, expect, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectedFailure } from '../../src/commands/frame.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiHere } from '../support/lei-here.ts';
import { runLeiIn } from '../support/run-lei.ts';

const folder = temporaryFolder('usage');
const dataDir = { LEI_DATA_DIR: join(folder, 'data') };

const lei = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  leiHere({ ...dataDir, ...environment }, args);

/** In a process of its own. */
const leiProcess = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runLeiIn(folder, { PATH: process.env['PATH'], ...dataDir, ...environment }, args);

const commands = [
  'serve',
  'load',
  'history',
  'update',
  'publications',
  'activate',
  'rollback',
  'verify',
  'prune',
  'accounts create',
  'accounts list',
  'keys create',
  'keys list',
  'keys revoke',
  'generate',
  'status',
];

describe('every command', () => {
  test('prints --help on standard output and accepts --json', async () => {
    for (const command of commands) {
      const { code, stdout, stderr } = await lei([...command.split(' '), '--help']);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      expect(stdout).toStartWith(`Usage: lei ${command} `);
      expect(stdout).toContain('--json');
    }
  });

  test('names its help after a usage error, and stands in the order of the alphabet', async () => {
    expect((await lei(['keys', 'revoke'])).stderr).toBe(
      "error: missing required argument 'key-id'\nSee lei keys revoke --help.\n",
    );
    const { stdout } = await lei(['--help']);
    const names = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names).toEqual(names.toSorted());
  });

  test('refuses an unknown option with exit status 2', async () => {
    for (const command of commands) {
      const { code, stdout, stderr } = await lei([...command.split(' '), '--no-such-option', '--json']);
      expect({ command, code, stderr }).toEqual({ command, code: 2, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        error: {
          code: 'wrong-usage',
          // A missing required option is reported first.
          message: expect.stringMatching(/^(?:unknown option '--no-such-option'|required option)/),
        },
      });
    }
  });
});

describe('lei', () => {
  test('ends its process with the exit status of the command', async () => {
    const all = [['--version'], ['rollback', '--json'], ['nonsense']];
    const ran = await Promise.all(all.map((args) => leiProcess(args)));
    expect(ran.map(({ code, stderr }) => ({ code, isSilent: stderr === '' }))).toEqual([
      { code: 0, isSilent: true },
      { code: 1, isSilent: true },
      { code: 2, isSilent: false },
    ]);
  });

  test('has the settings of the service in the environment, as its help says', async () => {
    const { code, stderr } = await lei(['serve', '--port', '3001']);
    expect([code, stderr]).toEqual([2, "error: unknown option '--port'\nSee lei serve --help.\n"]);
    const { stdout } = await lei(['serve', '--help']);
    expect(stdout).toContain('Settings are environment variables, such as LEI_PORT and LEI_DATA_DIR');
  });

  test('lists its commands with --help', async () => {
    const { code, stdout } = await lei(['--help']);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toContain(`  ${command.split(' ')[0]}`);
  });

  test.each([
    [['nonsense']],
    [[]],
    [['accounts']],
    [['load']],
    [['prune', '--keep', 'many']],
    [['prune', '--keep', '1.5']],
    [['activate']],
  ])('refuses %j with exit status 2 and a message on standard error', async (args) => {
    const { code, stdout, stderr } = await lei(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  test.each([
    [['activate', 'none'], /none/],
    [['rollback'], /./],
    [['verify'], /./],
    [['load', 'missing.zip'], /missing\.zip/],
    [['history', 'missing.zip'], /./],
    [['keys', 'revoke', 'key_none'], /key_none/],
  ] as const)('fails at %j with exit status 1, as a sentence and as JSON', async (args, words) => {
    const [told, machine] = await Promise.all([
      lei(args),
      lei([...args, '--json'], { LEI_DATA_DIR: join(folder, 'other') }),
    ]);
    expect({ code: told.code, stdout: told.stdout }).toEqual({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(words);
    expect(told.stderr).not.toMatch(/\n\s+at /);
    expect(machine.code).toBe(1);
    expect(JSON.parse(machine.stdout)).toEqual({
      error: { code: expect.stringMatching(/^[a-z][a-z-]+$/), message: expect.stringMatching(words) },
    });
  });

  test('lists nothing for an empty data folder', async () => {
    const empty = { LEI_DATA_DIR: join(folder, 'empty') };
    for (const args of [['publications'], ['accounts', 'list'], ['keys', 'list']]) {
      const { code, stdout } = await lei([...args, '--json'], empty);
      expect({ args, code, list: JSON.parse(stdout) }).toEqual({ args, code: 0, list: [] });
    }
  });

  test('accepts --json before the name of a command too', async () => {
    for (const args of [
      ['--json', 'keys', 'list'],
      ['keys', '--json', 'list'],
      ['--json', 'publications'],
    ])
      expect({ args, ...(await lei(args)) }).toEqual({ args, code: 0, stdout: '[]\n', stderr: '' });
    const { code, stdout } = await lei(['--json', 'nonsense']);
    expect({ code, json: JSON.parse(stdout) }).toMatchObject({
      code: 2,
      json: { error: { code: 'wrong-usage' } },
    });
  });

  test.each([
    ['a file', 'file', 'file'],
    ['a file', 'file/data', 'file'],
    ['a link that leads to no folder', 'link', 'link'],
  ])('says that %s stands in the place of the data folder %s', async (what, name, inTheWay) => {
    const place = temporaryFolder('no-folder');
    writeFileSync(join(place, 'file'), '');
    symlinkSync(join(place, 'nothing'), join(place, 'link'));
    const at = { LEI_DATA_DIR: join(place, name) };
    const all = [['update'], ['load', 'x.zip'], ['accounts', 'list'], ['limits'], ['prune']];
    const reading = [['publications'], ['status'], ['verify'], ['activate', '20240504T000000Z-00000000']];
    // To a reader, a link to nothing is a folder that does not exist yet.
    const commands = name === 'link' ? all : [...all, ...reading];
    // The service is started in a process of its own, as its threads begin before it finds out.
    const ends = [...commands.map((args) => lei(args, at)), leiProcess(['serve'], at)];
    for (const { code, stdout, stderr } of await Promise.all(ends)) {
      expect({ code, stdout, told: stderr.split('\n').at(-2) }).toEqual({
        code: 1,
        stdout: '',
        told: `lei: ${join(place, inTheWay)} is ${what}, but must be a folder. Move it away, or choose another folder; LEI_DATA_DIR names the one for data.`,
      });
    }
  });

  test('tells whose rights are missing when the system allows something to another user only', () => {
    const refused = new Error("EACCES: permission denied, open '/data/load.lock'");
    const failure = expectedFailure(Object.assign(refused, { code: 'EACCES', syscall: 'open' }));
    expect(failure).toMatchObject({
      code: 'not-writable',
      message: expect.stringMatching(
        /load\.lock'\. This user has no right to that: run the command as the owner/,
      ),
    });
  });

  test('reads the environment at start, reports all faults at once, and warns of a mistyped name', async () => {
    const faulty = { LEI_WORKERS: 'many', LEI_LIMITS: 'maybe', LEI_PROT: '80' };
    const { code, stdout, stderr } = await lei(['publications', '--json'], faulty);
    expect(code).toBe(2);
    const { error } = JSON.parse(stdout);
    expect(error.code).toBe('bad-configuration');
    expect(error.message).toContain('LEI_WORKERS');
    expect(error.message).toContain('LEI_LIMITS');
    expect(stderr).toContain('LEI_PROT is not a setting of this service; did you mean LEI_PORT?');
  });
});
