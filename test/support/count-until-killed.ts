/** A process that counts requests, reports when they are saved, and goes on counting until it is killed. */
import { readConfig } from '../../src/config.ts';
import { createAccess } from '../../src/front/access/access.ts';
import { layout } from '../../src/publication/layout.ts';
import { openLocalState } from '../../src/state/local-state.ts';
import { askOf, noon } from './open-access.ts';

const { config } = readConfig({});
const state = openLocalState(layout(process.argv[2] ?? ''));
const quiet = () => {};
const access = createAccess({ config, state, log: { info: quiet, warn: quiet, error: quiet } });
for (let i = 0; i < 70; i++) await access.admit(askOf({}));
await access.tick(noon);
process.stdout.write('70 saved\n');
await access.admit(askOf({}));
setInterval(() => {}, 1_000);
