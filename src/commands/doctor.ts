/** `lei doctor`: looks at all that a service depends on, and says of each whether it is as it should be. */
import type { Config } from '../config.ts';
import { layout as layoutOf } from '../publication/layout.ts';
import { bytesOf } from '../publication/manifest.ts';
import { lookAtClock, lookAtDisk, lookAtPublications, lookAtState } from './doctor/data.ts';
import { type Finding, worstOf } from './doctor/finding.ts';
import { lookAtCores, lookAtMemory, lookAtOpenFiles, lookAtVersions } from './doctor/machine.ts';
import {
  lookAtControlSocket,
  lookAtSettings,
  lookAtSharedState,
  lookAtSource,
  lookAtTls,
} from './doctor/service.ts';
import { type Context, diagnosis, readSettings, settingsChanged } from './frame.ts';

export function doctorCommand() {
  return diagnosis(
    'doctor',
    'look at settings, machine, data folder and service, and say what is wrong',
    doctor,
  );
}

async function doctor(context: Context): Promise<void> {
  const checks = await examine(context.config);
  const grade = worstOf(checks);
  context.result({ grade, checks }, checks.map(line));
  if (grade === 'wrong') process.exitCode = 1;
}

function line({ grade, name, message }: Finding): string {
  return `${grade.padEnd(5)}  ${name.padEnd(14)}  ${message}`;
}

async function examine(config: Config): Promise<readonly Finding[]> {
  const layout = layoutOf(config.dataDir);
  const changed = Object.keys(settingsChanged());
  const now = new Date();
  const data = await lookAtPublications(layout, config.sample);
  const active = data.manifests.find(({ id }) => id === data.pointer?.id);
  return [
    ...lookAtSettings(readSettings(), changed),
    lookAtVersions(),
    lookAtOpenFiles(),
    lookAtMemory(config, active === undefined ? 0 : bytesOf(active)),
    lookAtCores(config),
    lookAtDisk(data),
    await lookAtState(layout),
    ...data.found,
    lookAtClock(data, now),
    await lookAtControlSocket(layout),
    await lookAtTls(config, now),
    lookAtSharedState(changed),
    await lookAtSource(config),
  ];
}
