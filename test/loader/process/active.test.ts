/** Tests a load when the active publication can't be read: it says so, and says what to do. */
import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openForBuilding, openReadOnly, syncAndClose } from '../../../src/lmdb.ts';
import { verifySealed } from '../../../src/loader/command/verify/verify-sealed.ts';
import { runPipeline } from '../../../src/loader/process/pipeline.ts';
import { digestFile } from '../../../src/publication/files.ts';
import { layout } from '../../../src/publication/layout.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { readManifest } from '../../../src/publication/sealed.ts';
import { segmentBytes } from '../../../src/publication/segment-digests.ts';
import { companyFileVersion } from '../../../src/store/company-file-layout.ts';
import { indexFormatVersion, openStoredTables } from '../../../src/store/search/format.ts';
import { leiJson } from '../../support/lei-here.ts';
import { loadRequest } from '../../support/load-here.ts';
import { moveToTables } from '../earlier-tables.ts';
import { company, isin, operator, publish } from '../publishing.ts';
import { recover } from '../recovering.ts';
import { reseal } from '../resealing.ts';

const day = '2024-05-04T00:00:00Z';
const companies = [company(1), company(2)];
const delta = { at: '2024-05-05T00:00:00Z', since: day, companies: [company(1, { city: 'LEEDS' })] };
const full = { at: '2024-05-05T00:00:00Z', companies };
const older = { at: '2020-05-04T00:00:00Z', companies: [company(1, { city: 'LEEDS' })] };

type Someone = ReturnType<typeof operator>;

function damagePointer({ dataDir }: Someone): void {
  writeFileSync(layout(dataDir).pointer, '{"id": "2024');
}

/** Overwrites the second half, which lmdb reads as page numbers outside of its memory map. */
function damagePages({ dataDir }: Someone): void {
  const paths = layout(dataDir);
  const path = paths.environment(readPointer(paths)?.id ?? '');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, bytes.length / 2));
}

function ofCompanies({ dataDir }: Someone): string {
  const paths = layout(dataDir);
  return paths.companies(readPointer(paths)?.id ?? '');
}

const damages = [
  { what: 'a pointer that names nothing', damage: damagePointer, told: /active\.json is damaged/ },
  {
    what: 'pages that were overwritten',
    damage: damagePages,
    told: /Publication \S+ is damaged: .* has SHA-256/,
  },
  {
    what: 'a company file that was cut short',
    damage: (someone: Someone) => writeFileSync(ofCompanies(someone), 'LEI'),
    told: /Publication \S+ is damaged: \S+companies\.bin has 3 bytes, not the \d+ it was sealed with/,
  },
  {
    what: 'a company file with another byte',
    damage: (someone: Someone) => {
      const bytes = readFileSync(ofCompanies(someone));
      writeFileSync(ofCompanies(someone), bytes.fill(0xff, bytes.length - 1));
    },
    told: /Publication \S+ is damaged: \S+companies\.bin has SHA-256/,
  },
];

describe.each(damages)('over $what', ({ damage, told }) => {
  const damaged = async () => {
    const someone = operator();
    await someone.load({ at: day, companies });
    damage(someone);
    return someone;
  };

  test('a delta and the recovery of history are refused, and the message names the publication and the way out', async () => {
    const someone = await damaged();
    const loads = [() => someone.load(delta, { delta: true }), () => recover(someone, [older])];
    for (const load of loads) {
      await expect(load()).rejects.toMatchObject({
        code: 'active-unreadable',
        message: expect.stringMatching(
          new RegExp(`${told.source}.* Activate a publication to replace it .*, or load all data again`),
        ),
      });
    }
  });

  test('a full load warns about what is lost without it, and how to keep that', async () => {
    const someone = await damaged();
    const files = publish(someone.dataDir, full);
    const messages: string[] = [];
    const report = { progress() {}, message: (message: string) => void messages.push(message) };
    const { manifest } = await runPipeline(loadRequest(someone.dataDir, files), report);
    expect(manifest).toMatchObject({ basedOn: null, counts: { entities: 2 } });
    expect(messages).toEqual([expect.stringMatching(told)]);
    expect(messages[0]).toContain('the change history starts anew');
    expect(messages[0]).toContain('activate a sound publication');
  });
});

/** Expects that `lei history` and `lei verify` refuse the active publication with a message. */
async function expectRefused(dataDir: string, refusal: object): Promise<void> {
  for (const args of [['history', ...publish(dataDir, older)], ['verify']]) {
    const { code, json, stderr } = await leiJson(dataDir, ...args);
    expect({ args, code, json }).toEqual({ args, code: 1, json: { error: refusal } });
    expect(stderr).not.toMatch(/\n\s+at /);
  }
}

describe('over a publication whose search index is from an earlier version', () => {
  const sealedEarlier = async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: day, companies });
    const paths = layout(someone.dataDir);
    const environment = openForBuilding(paths.publication(manifest.id));
    const { meta } = openStoredTables(environment);
    const shape: unknown = JSON.parse(meta.get('shape') ?? '');
    meta.putSync('shape', JSON.stringify(Object.assign({}, shape, { version: indexFormatVersion - 1 })));
    await syncAndClose(environment);
    const bytes = readFileSync(paths.environment(manifest.id));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    // Format 7 had all rows of the index in the environment.
    rmSync(paths.search(manifest.id));
    const { search: _, ...rest } = manifest;
    const resealed = { ...rest, environment: { bytes: bytes.length, sha256 } };
    writeFileSync(paths.manifest(manifest.id), JSON.stringify(resealed));
    expect(readManifest(paths, manifest.id).outcome).toBe('sound');
    return someone;
  };
  const refusal = {
    code: 'index-format',
    message: `The search index has format ${indexFormatVersion - 1}; this program reads ${indexFormatVersion}. Load the data again with it.`,
  };

  test('lei history and lei verify say so without a stack trace', async () => {
    const { dataDir } = await sealedEarlier();
    await expectRefused(dataDir, refusal);
  });

  test('the recovery of history notices it and leaves no copy behind', async () => {
    const someone = await sealedEarlier();
    const { staging } = layout(someone.dataDir);
    await expect(recover(someone, [older])).rejects.toMatchObject(refusal);
    expect(readdirSync(staging)).toEqual([]);
  });

  test('a delta rebuilds the index', async () => {
    const someone = await sealedEarlier();
    expect((await someone.load(delta, { delta: true })).manifest.counts.entities).toBe(2);
  });
});

describe.each([
  ['without a company file', false],
  ['with one of an earlier format', true],
])('over a publication from an earlier version, which has companies in tables, %s', (_what, companyFile) => {
  const sealedEarlier = async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: day, companies, isins: [[2, isin(1)]] });
    await moveToTables(someone, manifest.id, { companyFile });
    expect(readManifest(layout(someone.dataDir), manifest.id).outcome).toBe('sound');
    return { someone, manifest };
  };

  test('lei history and lei verify say so without a stack trace', async () => {
    const { someone, manifest } = await sealedEarlier();
    const path = layout(someone.dataDir).companies(manifest.id);
    await expectRefused(
      someone.dataDir,
      companyFile
        ? {
            code: 'company-file-format',
            message: `${path} has format 4; this program reads ${companyFileVersion}. Load the data again with it.`,
          }
        : {
            code: 'no-company-file',
            message: `${path} is missing, because an earlier version of this program did not write it. Load the data again.`,
          },
    );
  });

  test.each([
    ['a delta', delta, true],
    ['a full set', { ...full, companies: [company(1, { city: 'LEEDS' }), company(2)] }, false],
  ])('%s writes one, and continues the history', async (_kind, set, isDelta) => {
    const { someone, manifest } = await sealedEarlier();
    const made = await someone.load(set, { delta: isDelta });
    expect(made.manifest).toMatchObject({ basedOn: manifest.id, counts: { entities: 2, changes: 1 } });
    if (isDelta) expect(made.manifest.counts.isin).toBe(1);
    const paths = layout(someone.dataDir);
    expect((await verifySealed(paths, made.manifest.id, () => {})).problems).toEqual([]);
    const environment = openReadOnly(paths.publication(made.manifest.id));
    expect([...environment.getKeys({})].filter((name) => name === 'entities')).toEqual([]);
    await environment.close();
  });
});

test('a delta over a publication sealed with digests of whole files checks those, and seals its own by segments', async () => {
  const someone = operator();
  const { manifest } = await someone.load({ at: day, companies });
  const paths = layout(someone.dataDir);
  await reseal(someone, manifest.id);
  expect(readManifest(paths, manifest.id)).toMatchObject({
    outcome: 'sound',
    manifest: { environment: { sha256: await digestFile(paths.environment(manifest.id)) } },
  });
  const next = await someone.load(delta, { delta: true });
  expect(next.manifest).toMatchObject({ environment: { segmentBytes }, companies: { segmentBytes } });
  expect(await verifySealed(paths, next.manifest.id, () => {})).toMatchObject({ sound: true });
});
