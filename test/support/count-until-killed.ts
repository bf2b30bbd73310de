/** Runs a process that counts requests, says so once they are saved, counts one more and waits until it is killed. */
import { openLocalState } from '../../src/accounts/state/local-state.ts';
import { readConfig } from '../../src/config.ts';
import { layout } from '../../src/publication/layout.ts';
import { accessService, askOf, noon } from './open-access.ts';

const { config } = readConfig({});
const state = openLocalState(layout(process.argv[2] ?? ''));
const quiet = () => {};
const access = accessService({ config, state, log: { info: quiet, warn: quiet, error: quiet } });
for (let i = 0; i < 70; i++) await access.admit(askOf({}));
await access.tick(noon);
process.stdout.write('70 saved\n');
await access.admit(askOf({}));
process.stdout.write('one more\n');
setInterval(() => {}, 1_000);
