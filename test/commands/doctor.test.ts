/** Tests `lei doctor` and `lei --version` as an operator runs them. */
import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { noteDamage } from '../../src/publication/sealed.ts';
import { makeAuthority, makeCertificate } from '../support/certificates.ts';
import { temporaryFolder } from '../support/folders.ts';
import { createAccount, leiHere, runLei } from '../support/lei-here.ts';
import { isInstalled, sayNotRun, titled } from '../support/programs.ts';
import { cli, endOf, runLeiIn } from '../support/run-lei.ts';
import { copiedSample, startTestService } from '../support/service.ts';

interface Finding {
  readonly name: string;
  readonly grade: 'ok' | 'note' | 'wrong';
  readonly message: string;
}

/** Exit status and findings of `lei doctor --json`. */
async function doctor(dataDir: string, settings: Readonly<Record<string, string>> = {}, run = leiHere) {
  const environment = { LEI_DATA_DIR: dataDir, LEI_WORKERS: '1', ...settings };
  const { code, stdout } = await run(environment, ['doctor', '--json']);
  const told: { readonly grade: string; readonly checks: readonly Finding[] } = JSON.parse(stdout);
  const of = (name: string) => told.checks.filter((finding) => finding.name === name);
  return {
    code,
    ...told,
    of,
    first: (name: string) => of(name)[0] ?? { name, grade: 'missing', message: '' },
  };
}

/** In a process of its own: for a data folder that this process serves, and for damage that may end the process. */
const apart: typeof leiHere = (settings, args) =>
  runLeiIn(process.cwd(), { ...process.env, ...settings }, args);

/** Runs commands as a user who is not root, who writes everywhere; null if that user may not read this project. */
function commandsOfAnotherUser(): typeof leiHere | null {
  const other = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
  if (!Bun.spawnSync([...other, 'test', '-r', cli]).success) {
    sayNotRun('lei doctor as another user, who may not read this project');
    return null;
  }
  return (settings, args) =>
    endOf(
      Bun.spawn([...other, process.execPath, cli, ...args], {
        env: { ...process.env, ...settings },
        stdout: 'pipe',
        stderr: 'pipe',
      }),
    );
}

/** The active publication of a data folder, and the paths of its files. */
function activeOf(dataDir: string) {
  const paths = layout(dataDir);
  return { paths, id: readPointer(paths)?.id ?? '' };
}

describe('lei doctor', () => {
  test('finds nothing wrong with a healthy data folder, and checks every part of it', async () => {
    const service = await startTestService();
    const { code, checks, first } = await doctor(service.dataDir, {}, apart);
    await runLei(service.dataDir, 'limits', '--anonymous-daily', '50');
    const afterChange = await doctor(service.dataDir, {}, apart);
    await service.stop();
    expect(checks.filter((finding) => finding.grade === 'wrong')).toEqual([]);
    expect(code).toBe(0);
    expect(checks.map(({ name }) => name)).toEqual([
      ...['settings', 'versions', 'open-files', 'memory', 'cores', 'disk', 'state', 'active', 'publication'],
      ...['clock', 'control-socket', 'limits', 'tls', 'shared-state', 'source'],
    ]);
    expect(first('control-socket').message).toStartWith('A service answers');
    expect(first('publication').message).toContain('7,294 companies');
    expect(first('limits').grade).toBe('ok');
    expect(afterChange.first('limits')).toMatchObject({
      grade: 'note',
      message: expect.stringContaining('anonymous-daily 50 instead of 100'),
    });
  });

  test('finds a flipped bit in any file of a publication', async () => {
    const dataDir = await copiedSample();
    const { paths, id } = activeOf(dataDir);
    for (const path of [paths.companies(id), paths.environment(id), paths.search(id)]) {
      const bytes = readFileSync(path);
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bytes.length - 5000) ^ 1, bytes.length - 5000);
      writeFileSync(path, flipped);
      const { code, first } = await doctor(dataDir);
      writeFileSync(path, bytes);
      expect(code).toBe(1);
      expect(first('publication')).toMatchObject({ grade: 'wrong', message: expect.stringContaining(path) });
    }
  });

  test('says what a service has found damaged, until lei verify finds it sound', async () => {
    const dataDir = await copiedSample();
    const { paths, id } = activeOf(dataDir);
    noteDamage(paths, id, 'data.mdb is damaged: a bit.');
    const { code, first } = await doctor(dataDir);
    expect(code).toBe(1);
    const message = `data.mdb is damaged: a bit. lei verify ${id} checks it again.`;
    expect(first('publication')).toMatchObject({ grade: 'wrong', message });
    expect((await runLei(dataDir, 'verify')).code).toBe(0);
    expect((await doctor(dataDir)).code).toBe(0);
  });

  test('names a folder in the data folder that another user has made', async () => {
    const dataDir = temporaryFolder('doctor');
    const { staging } = layout(dataDir);
    mkdirSync(staging, { mode: 0o555 });
    chmodSync(dataDir, 0o777);
    chmodSync(dirname(dataDir), 0o711);
    const asOther = commandsOfAnotherUser();
    if (asOther === null) return;
    const { code, first } = await doctor(dataDir, {}, asOther);
    expect(code).toBe(1);
    const message = `This user can't write to ${staging}: `;
    expect(first('disk')).toMatchObject({ grade: 'wrong', message: expect.stringContaining(message) });
  });

  test.skipIf(process.getuid?.() !== 0)(
    'and lei status tell another user that the control socket is the service’s',
    async () => {
      const dataDir = temporaryFolder('doctor');
      chmodSync(dataDir, 0o700);
      chmodSync(dirname(dataDir), 0o711);
      const asOther = commandsOfAnotherUser();
      if (asOther === null) return;
      const message =
        /control\.sock can't be used: this user has no right to it\. Run the command as the user/;
      const { code, stderr } = await asOther({ LEI_DATA_DIR: dataDir }, ['status']);
      expect(code).toBe(1);
      expect(stderr).toMatch(message);
      const { first } = await doctor(dataDir, {}, asOther);
      expect(first('control-socket')).toMatchObject({
        grade: 'wrong',
        message: expect.stringMatching(message),
      });
    },
  );

  test('prints a line for each check', async () => {
    const { code, stdout } = await runLei(await copiedSample(), 'doctor');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !/^(ok|note|wrong) +[a-z-]+ +\S/.test(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(10);
  });

  test('reports a first start, a stopped service and a low descriptor limit as notes', async () => {
    const limited = Bun.spawn(['sh', '-c', `ulimit -n 256; exec "${process.execPath}" "${cli}" doctor`], {
      env: { ...process.env, LEI_DATA_DIR: temporaryFolder('doctor') },
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const text = await limited.stdout.text();
    expect(await limited.exited).toBe(0);
    for (const name of ['active', 'state', 'control-socket', 'open-files'])
      expect(text).toMatch(new RegExp(`^note +${name} `, 'm'));
    expect(text).toContain('LimitNOFILE');
  });

  test('says that a node of a fleet loads no sample but waits for the announced publication', async () => {
    const { first } = await doctor(temporaryFolder('doctor'), {
      LEI_PUBLICATION_SOURCE: `file://${temporaryFolder('store')}`,
    });
    expect(first('active').message).toBe(
      'No publication is active, so the service waits for the announced one.',
    );
  });

  test('notes a socket left behind by a killed service', async () => {
    const dataDir = temporaryFolder('doctor');
    const { controlSocket } = layout(dataDir);
    const script = `require('node:net').createServer().listen(${JSON.stringify(controlSocket)}, () => process.kill(process.pid, 'SIGKILL'))`;
    await Bun.spawn([process.execPath, '-e', script]).exited;
    const { code, first } = await doctor(dataDir);
    expect([code, first('control-socket').grade]).toEqual([0, 'note']);
    expect(first('control-socket').message).toContain('killed');
  });

  test('reports a silent control socket as wrong', async () => {
    const dataDir = temporaryFolder('doctor');
    const silent = createServer((socket) => socket.end('what?\n'));
    await new Promise<void>((resolve) => silent.listen(layout(dataDir).controlSocket, resolve));
    const { code, first } = await doctor(dataDir);
    silent.close();
    expect([code, first('control-socket').grade]).toEqual([1, 'wrong']);
  });

  test('lists every fault of the settings along with all other findings, and exits with 1', async () => {
    const settings = { LEI_PORT: 'tree', LEI_WORKERS: '0', LEI_WOKERS: '2' };
    const { code, of, checks } = await doctor(await copiedSample(), settings);
    expect(code).toBe(1);
    expect(of('settings').map(({ grade }) => grade)).toEqual(['wrong', 'wrong', 'note']);
    expect(checks.map(({ name }) => name)).toContain('publication');
  });

  test('finds a truncated publication, one with changed bytes, and a pointer to nothing', async () => {
    const short = activeOf(await copiedSample());
    truncateSync(short.paths.environment(short.id), 4_096);
    const changed = activeOf(await copiedSample());
    const companies = changed.paths.companies(changed.id);
    writeFileSync(companies, Buffer.alloc(statSync(companies).size, 0xff));
    for (const { paths } of [short, changed]) {
      const { code, first } = await doctor(paths.dataDir);
      expect([code, first('publication').grade]).toEqual([1, 'wrong']);
    }
    const gone = activeOf(await copiedSample());
    const pointer = readFileSync(gone.paths.pointer, 'utf8');
    writeFileSync(gone.paths.pointer, pointer.replaceAll(gone.id, '20200101T000000Z-00000000'));
    const { code, first } = await doctor(gone.paths.dataDir);
    expect([code, first('active').grade]).toEqual([1, 'wrong']);
    expect(first('active').message).toContain('lei activate');
  });

  test('reads the state, and reports damage in it without crashing', async () => {
    const dataDir = temporaryFolder('doctor');
    await createAccount(dataDir, 'ada@example.com');
    expect((await doctor(dataDir, {}, apart)).first('state')).toMatchObject({ grade: 'ok' });
    truncateSync(join(layout(dataDir).state, 'data.mdb'), 100);
    const { code, first } = await doctor(dataDir, {}, apart);
    expect([code, first('state').grade]).toEqual([1, 'wrong']);
    expect(first('state').message).toContain('lei accounts restore');
  });

  test('grades what it can not read as wrong, and goes on with the other checks', async () => {
    const names = (checks: readonly Finding[]) =>
      checks.filter(({ grade }) => grade === 'wrong').map(({ name }) => name);
    const file = join(temporaryFolder('doctor'), 'file');
    writeFileSync(file, '');
    const notFolder = await doctor(file);
    expect(notFolder.code).toBe(1);
    expect(names(notFolder.checks)).toEqual(
      expect.arrayContaining(['state', 'publication', 'control-socket']),
    );
    expect(notFolder.first('source').grade).toBe('ok');
    for (const name of ['disk', 'state', 'active', 'publication', 'control-socket'])
      expect(notFolder.first(name).message).toStartWith(`${file} is a file, but must be a folder. `);
    const paths = layout(temporaryFolder('doctor'));
    writeFileSync(paths.state, '');
    writeFileSync(join(paths.dataDir, 'publications'), '');
    const filesInside = await doctor(paths.dataDir);
    expect(names(filesInside.checks)).toEqual(['state', 'publication']);
    for (const name of ['state', 'publication'])
      expect(filesInside.first(name).message).toMatch(
        /\/(?:state|publications) is a file, but must be a folder\. /,
      );
  });

  test('notices a clock that is behind the times recorded in the data folder', async () => {
    const { paths } = activeOf(await copiedSample());
    const pointer = JSON.parse(readFileSync(paths.pointer, 'utf8'));
    writeFileSync(paths.pointer, JSON.stringify({ ...pointer, activatedAt: '2999-01-01T00:00:00Z' }));
    const { code, first } = await doctor(paths.dataDir);
    expect([code, first('clock').grade]).toEqual([1, 'wrong']);
  });

  test('names the certificate file or key file that cannot be used', async () => {
    const settings = { LEI_TLS_CERT: '/nowhere/chain.pem', LEI_TLS_KEY: import.meta.path };
    const { code, first } = await doctor(temporaryFolder('doctor'), settings);
    expect([code, first('tls').grade]).toEqual([1, 'wrong']);
    expect(first('tls').message).toContain('/nowhere/chain.pem');
  });
});

test.skipIf(!isInstalled('openssl'))(
  titled('lei doctor tells a key that fits its certificate from one that does not', 'openssl'),
  async () => {
    const authority = await makeAuthority();
    const [one, other] = [await makeCertificate(authority, 'one'), await makeCertificate(authority, 'other')];
    const folder = temporaryFolder('doctor');
    const [chain, key, foreign] = ['chain.pem', 'key.pem', 'foreign.pem'].map((name) => join(folder, name));
    if (chain === undefined || key === undefined || foreign === undefined) throw new Error('No paths.');
    writeFileSync(chain, one.chain);
    writeFileSync(key, one.key, { mode: 0o600 });
    writeFileSync(foreign, other.key, { mode: 0o600 });
    const fits = await doctor(folder, { LEI_TLS_CERT: chain, LEI_TLS_KEY: key });
    // The certificate expires in a day.
    expect([fits.code, fits.first('tls').grade]).toEqual([0, 'note']);
    expect(fits.first('tls').message).toContain('in 0 days. Renew it.');
    const differs = await doctor(folder, { LEI_TLS_CERT: chain, LEI_TLS_KEY: foreign });
    expect([differs.code, differs.first('tls').grade]).toEqual([1, 'wrong']);
  },
);

test('lei --version prints the version of package.json', async () => {
  const { code, stdout } = await runLei(temporaryFolder('version'), '--version');
  expect([code, stdout]).toEqual([0, `${packageJson.version}\n`]);
});
