/** `lei doctor`: checks everything that a service depends on, and reports on each. */
import type { OpenFleet } from '../ports/state.ts';
import { bytesOf } from '../publication/manifest-facts.ts';
import { lookAtClock, lookAtCopy, lookAtDisk, lookAtPublications, lookAtState } from './doctor/data.ts';
import { type Finding, worstOf } from './doctor/finding.ts';
import { lookAtCores, lookAtMemory, lookAtOpenFiles, lookAtVersions } from './doctor/machine.ts';
import {
  lookAtControlSocket,
  lookAtLimits,
  lookAtSettings,
  lookAtSharedState,
  lookAtSource,
  lookAtTls,
} from './doctor/service.ts';
import { type Context, command, readSettings, settingsChanged, uncheckedConfig } from './frame.ts';

export function doctorCommand(openFleet: OpenFleet) {
  return command(
    'doctor',
    'check settings, machine, data folder and service, and say what is wrong',
    (context) => doctor(context, openFleet),
    uncheckedConfig,
  );
}

async function doctor(context: Context, openFleet: OpenFleet): Promise<void> {
  const checks = await examine(context, openFleet);
  const grade = worstOf(checks);
  context.result({ grade, checks }, checks.map(line));
  if (grade === 'wrong') process.exitCode = 1;
}

function line({ grade, name, message }: Finding): string {
  return `${grade.padEnd(5)}  ${name.padEnd(14)}  ${message}`;
}

async function examine({ config, layout }: Context, openFleet: OpenFleet): Promise<readonly Finding[]> {
  const changed = Object.keys(settingsChanged());
  const now = new Date();
  const data = await lookAtPublications(layout, config);
  const active = data.manifests.find(({ id }) => id === data.pointer?.id);
  return [
    ...lookAtSettings(readSettings(), changed),
    lookAtVersions(),
    lookAtOpenFiles(),
    lookAtMemory(config, active === undefined ? 0 : bytesOf(active)),
    lookAtCores(config),
    lookAtDisk(data),
    config.sharedState === null ? await lookAtState(layout) : lookAtCopy(layout),
    ...data.found,
    lookAtClock(data, now),
    await lookAtControlSocket(layout),
    await lookAtLimits(layout),
    await lookAtTls(config, now),
    await lookAtSharedState(config, layout, openFleet),
    await lookAtSource(config),
  ];
}
