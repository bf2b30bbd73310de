/** Tests the units for systemd with systemd's own tools. */
import { describe, expect, test } from 'bun:test';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, pathOf, titled } from '../support/programs.ts';

const project = join(import.meta.dir, '..', '..');
const units = ['lei.service', 'lei-update.service', 'lei-update.timer'] as const;
/** From 0 to 10, by `systemd-analyze security`. */
const exposureMax = 2.0;

/** The units in their own folder, with the project's path. */
function unitsHere(): string {
  const folder = temporaryFolder('systemd');
  cpSync(join(project, 'deploy', 'systemd'), folder, { recursive: true });
  for (const unit of units) {
    const path = join(folder, unit);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/opt/lei', project));
  }
  return folder;
}

function analyze(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([pathOf('systemd-analyze'), ...words]);
  return { code: exitCode, said: stdout.toString() + stderr.toString() };
}

describe.skipIf(!isInstalled('systemd-analyze'))(titled('the units', 'systemd-analyze'), () => {
  test('have no fault according to systemd', () => {
    const folder = unitsHere();
    for (const unit of units)
      expect([unit, analyze('verify', join(folder, unit))]).toEqual([unit, { code: 0, said: '' }]);
  });

  test('restrict what the programs may do', () => {
    const folder = unitsHere();
    for (const unit of ['lei.service', 'lei-update.service']) {
      const { said } = analyze('security', '--offline=true', join(folder, unit));
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
      expect(exposure).toBeLessThanOrEqual(exposureMax);
    }
  });
});
