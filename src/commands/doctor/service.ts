/** Checks the settings and a running service: control socket, certificate, shared state of a fleet. */
import { existsSync, statSync } from 'node:fs';
import { changedLimits } from '../../api/service-limits.ts';
import type { Config, ConfigReading } from '../../config.ts';
import { clauseOf, reasonOf } from '../../errors.ts';
import { certificateOf, readPemTexts } from '../../http/certificate.ts';
import type { OpenFleet } from '../../ports/state.ts';
import { controlClient } from '../../protocol/control-client.ts';
import { fileInTheWay } from '../../publication/files.ts';
import type { Layout } from '../../publication/layout.ts';
import { isLockHeld } from '../../publication/lock.ts';
import { publicationKey } from '../../serve/fleet/join-fleet.ts';
import { isSharedStateUrl } from '../../settings/addresses.ts';
import { readAnnouncement } from '../../shipping/announcement.ts';
import { openStore } from '../../shipping/open-store.ts';
import { limitsOfService } from '../limits.ts';
import { counted } from '../result-texts.ts';
import { hasCopy } from './data.ts';
import { doctorLimits, type Finding, findings } from './finding.ts';

/** @param changed names of the settings that differ from their defaults */
export function lookAtSettings(reading: ConfigReading, changed: readonly string[]): readonly Finding[] {
  const { ok, note, wrong } = findings('settings');
  const found = [...reading.faults.map(wrong), ...reading.warnings.map(note)];
  if (found.length > 0) return found;
  return [
    ok(
      changed.length === 0
        ? 'All settings have their defaults.'
        : `Set to valid values: ${changed.join(', ')}.`,
    ),
  ];
}

export async function lookAtControlSocket(layout: Layout): Promise<Finding> {
  try {
    return await askedService(layout);
  } catch (error) {
    return findings('control-socket').wrong(fileInTheWay(error) ?? `${clauseOf(error)}.`);
  }
}

async function askedService(layout: Layout): Promise<Finding> {
  const { ok, note, wrong } = findings('control-socket');
  const path = layout.controlSocket;
  const reply = await controlClient(layout).send({ op: 'ping' }, { timeoutMs: doctorLimits.pingTimeoutMs });
  if (reply !== 'not-running') {
    return reply.ok ? ok(`A service answers at ${path}.`) : wrong(`${reply.message} (${path})`);
  }
  if (isLockHeld(layout.serviceLock))
    return note(
      `A service holds ${layout.serviceLock} but does not answer at ${path}: it is starting, is stopping, or has no socket.`,
    );
  if (existsSync(path))
    return note(`No service is running. A killed one left ${path}; the next start replaces it.`);
  return note(`No service is running on ${layout.dataDir}.`);
}

/** Changed limits surprise an operator who reads only the settings. */
export async function lookAtLimits(layout: Layout): Promise<Finding> {
  const { ok, note } = findings('limits');
  const limits = await limitsOfService({ layout }).catch(() => null);
  if (limits === null) return ok('No service tells its limits; lei limits shows what was changed.');
  const changed = changedLimits(limits);
  if (changed.length === 0) return ok("All limits are those of the running service's settings.");
  return note(
    `Changed by lei limits: ${changed.join(', ')}. lei limits --reset restores what the settings say.`,
  );
}

export async function lookAtTls({ tls }: Pick<Config, 'tls'>, now: Date): Promise<Finding> {
  const { ok, note, wrong } = findings('tls');
  if (tls === null) return ok('Not configured: the service speaks plain HTTP.');
  try {
    const { endsAt } = certificateOf(await readPemTexts(tls), tls);
    const days = Math.floor((endsAt - now.getTime()) / 86_400_000);
    const end = `${tls.certificate} expires on ${new Date(endsAt).toISOString()}`;
    if (endsAt <= now.getTime()) return wrong(`The certificate in ${end}: it has expired. Renew it.`);
    if ((statSync(tls.key).mode & 0o004) !== 0)
      return note(`Every user of this machine can read the key ${tls.key}; restrict it with chmod 640.`);
    if (days < doctorLimits.certificateDays)
      return note(`The certificate in ${end}, in ${counted(days, 'day')}. Renew it.`);
    return ok(`The certificate in ${end}, and the key fits it.`);
  } catch (error) {
    return wrong(reasonOf(error));
  }
}

/** Asks the shared state for the present nodes, as a node or a command would. */
export async function lookAtSharedState(
  config: Config,
  layout: Layout,
  openFleet: OpenFleet,
): Promise<Finding> {
  const { ok, note, wrong } = findings('shared-state');
  if (config.sharedState !== null && !isSharedStateUrl(config.sharedState))
    return note('Not checked, because LEI_SHARED_STATE is not the address of a shared state.');
  try {
    const opened = await openFleet(config);
    if (opened === null) return ok('Not configured: accounts, keys and quotas are in this data folder.');
    try {
      const startedAt = performance.now();
      const present = (await opened.fleet.nodes()).filter((node) => node.present).map(({ name }) => name);
      const tookMs = (performance.now() - startedAt).toFixed(1);
      const nodes = present.length === 0 ? 'no node is present' : `nodes present: ${present.join(', ')}`;
      return ok(`LEI_SHARED_STATE answers in ${tookMs} ms; ${nodes}.`);
    } finally {
      opened.close();
    }
  } catch (error) {
    const effect = hasCopy(layout)
      ? 'The service still answers requests, within its share of each quota.'
      : 'This node has no copy of it yet, so the service does not start.';
    return wrong(`${reasonOf(error)} ${effect}`);
  }
}

export async function lookAtSource({
  publicationSource,
  publicationKey: keyFile,
}: Pick<Config, 'publicationSource' | 'publicationKey'>): Promise<Finding> {
  const { ok, note, wrong } = findings('source');
  if (publicationSource === null)
    return ok('Not configured: publications come from lei update and lei load on this machine.');
  try {
    const key = await publicationKey({ publicationKey: keyFile });
    const announced = await readAnnouncement(openStore(publicationSource), { key });
    if (announced === null)
      return note(
        'LEI_PUBLICATION_SOURCE announces nothing yet. Announce a publication with lei announce ID --to URL.',
      );
    return ok(
      `LEI_PUBLICATION_SOURCE announces ${announced.active?.id ?? 'no active publication'}${key === null ? '' : ', signed by the key of LEI_PUBLICATION_KEY'}.`,
    );
  } catch (error) {
    return wrong(`LEI_PUBLICATION_SOURCE can't be read: ${reasonOf(error)}`);
  }
}
