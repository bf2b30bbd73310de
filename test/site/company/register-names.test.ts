/** Tests the names of registers on the page of a company, over a publication with GLEIF's list of registers. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folders.ts';
import { leiJson } from '../../support/lei-here.ts';
import { parentOfMany } from '../../support/parent-of-many.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const header =
  'Registration Authority Code,Country,Country Code,Jurisdiction (country or region),International name of Register,Local name of Register,International name of organisation responsible for the Register,Local name of organisation responsible for the Register,Website,Comments';

let service: TestService;
let lei: string;
afterAll(() => service.stop());

beforeAll(async () => {
  const dataDir = temporaryFolder('registers');
  const folder = temporaryFolder('register-files');
  const made = await parentOfMany(folder, 1);
  lei = made.parent;
  const codes = Array.from({ length: 900 }, (_, number) => `RA000${String(number).padStart(3, '0')}`);
  const rows = codes.map(
    (code) => `${code},Land,DE,Land,Commercial <Register>,Handelsregister,Court,Gericht,,`,
  );
  const list = join(folder, 'authorities.csv');
  writeFileSync(list, [header, ...rows, ''].join('\n'));
  const loaded = await leiJson(dataDir, 'load', ...made.files, list);
  expect([loaded.code, loaded.stderr]).toEqual([0, expect.any(String)]);
  service = await startTestService({ dataDir });
});

test('a register is shown by its name and its keeper, with the code as a title', async () => {
  const page = await (await service.fetch(`/company/${lei}`)).text();
  const shown = /<dt>Register<\/dt><dd>(.*?)<\/dd>/.exec(page)?.[1];
  expect(shown).toMatch(/^<bdi title="RA000\d{3}">Commercial &lt;Register&gt;, Court<\/bdi>$/);
});
