/** Tests what goes wrong while a delta changes a copy: killed processes, a full disk, flipped bits. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import type { LoadProgress } from '../../src/loader/load-request.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { temporaryFolder } from '../support/folders.ts';
import { loadHere, loadRequest } from '../support/load-here.ts';
import { smallDisk } from '../support/small-disk.ts';
import { killLoaders } from '../support/start-loader.ts';
import { company, operator, publish } from './publishing.ts';

const day = '2024-05-04T00:00:00Z';
const next = { at: '2024-05-05T00:00:00Z', since: day };
const companies = Array.from({ length: 150 }, (_, index) => company(index + 1));
const renamed = companies.map((_, index) => company(index + 1, { name: `Renamed ${index} GmbH` }));

async function expectSound(dataDir: string, id: string): Promise<void> {
  expect(await verifySealed(layout(dataDir), id, () => {})).toMatchObject({ sound: true, problems: [] });
}

function flipBit(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** `npm run test:long` tries more. */
const kills = Number(process.env['LONG_KILLS'] ?? 1);

describe('a delta', () => {
  test('whose loader is killed at random moments leaves the active publication unchanged, and works afterwards', async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: day, companies });
    const paths = layout(someone.dataDir);
    const files = publish(someone.dataDir, { ...next, companies: renamed });
    const loading = loadRequest(someone.dataDir, files, { delta: true });
    await killLoaders(loading, kills, () => expect(readPointer(paths)?.id).toBe(manifest.id));
    // Loads that sealed before they were killed have sealed it completely.
    for (const id of sealedIds(paths)) await expectSound(someone.dataDir, id);
    const after = await someone.loadFiles(files, { delta: true });
    await expectSound(someone.dataDir, after.manifest.id);
    expect(readdirSync(paths.staging)).toEqual([]);
  });

  test('that fills the disk fails, and the active publication stays', async () => {
    const disk = smallDisk(24);
    if (disk === null) return;
    try {
      const elsewhere = temporaryFolder('loading');
      await loadHere(disk.folder, publish(elsewhere, { at: day, companies: companies.slice(0, 10) }));
      const active = readPointer(layout(disk.folder));
      const progress = ({ phase }: LoadProgress) => {
        if (phase.startsWith('reading')) disk.fill();
      };
      const loading = loadHere(
        disk.folder,
        publish(elsewhere, { ...next, companies: renamed }),
        { delta: true },
        { progress },
      );
      await expect(loading).rejects.toMatchObject({ code: 'no-space' });
      expect(readPointer(layout(disk.folder))).toEqual(active);
      expect(readdirSync(layout(disk.folder).staging)).toEqual([]);
      await expectSound(disk.folder, active?.id ?? '');
    } finally {
      disk.remove();
    }
  });

  test.each(['environment', 'companies'] as const)(
    'is refused over a file of %s with a flipped bit',
    async (file) => {
      const someone = operator();
      const { manifest } = await someone.load({ at: day, companies: companies.slice(0, 50) });
      flipBit(layout(someone.dataDir)[file](manifest.id), 50_000);
      const load = someone.load({ ...next, companies: [company(7)] }, { delta: true });
      await expect(load).rejects.toMatchObject({ code: 'active-unreadable' });
    },
  );
});
