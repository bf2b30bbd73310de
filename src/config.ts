/**
 * Reads the settings: the environment becomes one frozen {@link Config}. All faults are reported together, each with
 * the variable, its value and what is allowed. `settings/table.ts` has the settings.
 */

import { editDistance, unitsOf } from './lei/names/edit-distance.ts';
import { unreachableHost } from './settings/addresses.ts';
import { allSettings, type Setting, type Settings, settings } from './settings/table.ts';
import { readTraceSettings, type TraceSettings } from './settings/traces.ts';
import { type Findings, remarksOn } from './settings/values.ts';
import { quoted } from './terminal-text.ts';
import { hostInUrl, withoutPerhapsCredentials } from './urls.ts';

/** The settings, and what follows from several of them. */
export interface Config extends Settings {
  /** The public address, without a trailing slash. */
  readonly baseUrl: string;
  /** The path of the base URL, without a trailing slash; '' if it has none. A proxy publishes the service below it. */
  readonly basePath: string;
  /** Null for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Null if no traces are sent. */
  readonly traces: TraceSettings | null;
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface ConfigReading {
  readonly config: Config;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment. A caller must not use the config of a reading with faults. */
export function readConfig(environment: EnvironmentVariables): ConfigReading {
  const findings: Findings = { faults: [], warnings: unknownVariables(environment) };
  const read = readTable(environment, findings);
  const tls = tlsFiles(read, findings);
  const config: Config = Object.freeze({
    ...read,
    ...publicAddress(read, tls, findings),
    tls,
    traces: readTraceSettings(environment, findings),
  });
  refuseSharedPort(config, findings);
  warnOfUntrustedSource(config, findings);
  return { config, ...findings };
}

function readTable(environment: EnvironmentVariables, findings: Findings): Settings {
  const rows = Object.entries<Setting>(settings).map(([name, setting]) => {
    const { variable, value } = textOf(setting, environment, findings);
    return [name, setting.read(value, remarksOn(variable, value, findings))] as const;
  });
  // The compiler does not see that each value comes from the reader of its own row.
  return Object.fromEntries(rows) as Settings;
}

/** The text of a setting, trimmed, and the variable that it comes from. */
function textOf({ variable, standard }: Setting, environment: EnvironmentVariables, { warnings }: Findings) {
  const own = environment[variable]?.trim() ?? '';
  const byDefault = typeof standard === 'string' ? standard : standard();
  if (variable !== settings.port.variable) return { variable, value: own || byDefault };
  if (own.startsWith('tcp://'))
    warnings.push(`LEI_PORT is ${quoted(own)}, a value that container platforms inject; it is ignored.`);
  else if (own !== '') return { variable, value: own };
  return { variable: 'PORT', value: environment['PORT']?.trim() || byDefault };
}

/** Both or neither must be set. */
function tlsFiles({ tlsCertificate, tlsKey }: Settings, { faults }: Findings): TlsFiles | null {
  if (tlsCertificate !== null && tlsKey !== null) return { certificate: tlsCertificate, key: tlsKey };
  if (tlsCertificate === tlsKey) return null;
  const [set, missing] =
    tlsCertificate === null ? ['LEI_TLS_KEY', 'LEI_TLS_CERT'] : ['LEI_TLS_CERT', 'LEI_TLS_KEY'];
  faults.push(`${set} is set but ${missing} is not: HTTPS needs both PEM files, HTTP neither.`);
  return null;
}

/** A refused base URL has no path. */
function publicAddress(
  { host, port, publicUrl }: Settings,
  tls: TlsFiles | null,
  { warnings }: Findings,
): Pick<Config, 'baseUrl' | 'basePath'> {
  const ownAddress = `${tls === null ? 'http' : 'https'}://${hostInUrl(host)}:${port}`;
  const unreachable = publicUrl === null ? unreachableHost(host, ownAddress) : null;
  if (unreachable !== null) warnings.push(unreachable);
  const baseUrl = publicUrl ?? ownAddress;
  return { baseUrl, basePath: URL.parse(baseUrl)?.pathname.replace(/\/+$/, '') ?? '' };
}

/** Metrics are for the operator only. Port 0 gives each server a different one. */
function refuseSharedPort({ admin, port }: Settings, { faults }: Findings): void {
  if (admin?.kind !== 'tcp' || admin.port === 0 || admin.port !== port) return;
  faults.push(
    `LEI_ADMIN has the same port as LEI_PORT (${port}) but must have another, since the admin address must not be public.`,
  );
}

function warnOfUntrustedSource(
  { publicationSource, publicationKey }: Settings,
  { warnings }: Findings,
): void {
  if (publicationKey !== null) {
    if (publicationSource === null)
      warnings.push('LEI_PUBLICATION_KEY has no effect, because LEI_PUBLICATION_SOURCE is not set.');
  } else if (publicationSource !== null && URL.parse(publicationSource)?.protocol === 'http:')
    warnings.push(
      'LEI_PUBLICATION_SOURCE is plain http, so anybody on the way can choose what this service serves. Use https, or sign the announcements (lei announce --sign) and set LEI_PUBLICATION_KEY.',
    );
}

function unknownVariables(environment: EnvironmentVariables): string[] {
  const known = allSettings.map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith('LEI_') && !known.some((variable) => variable === name))
    .map((name) => {
      const meant = nearest(name, known);
      return `${name} is not a setting of this service${meant === null ? '.' : `; did you mean ${meant}?`}`;
    });
}

/** More typing errors than this make another name. */
const typingErrorsMax = 3;

/** The name that has the fewest typing errors; null if each has too many. */
function nearest(name: string, names: readonly string[]): string | null {
  const units = (word: string) => unitsOf(word, new Uint16Array(word.length));
  const typed = units(name);
  let best: string | null = null;
  let fewest = typingErrorsMax + 1;
  for (const each of names) {
    const errors = editDistance(typed, typed.length, units(each), each.length, typingErrorsMax);
    if (errors < fewest) [best, fewest] = [each, errors];
  }
  return best;
}

/**
 * The settings that differ from their defaults: name → value, with `set` in place of a secret and `…` in place of a
 * possible user name and password in a URL. The service logs them at its start.
 */
export function changedSettings(environment: EnvironmentVariables): Readonly<Record<string, string>> {
  const changed: Record<string, string> = {};
  for (const { variable, standard, secret = false } of [...allSettings, portOfPlatform]) {
    const value = environment[variable]?.trim() ?? '';
    if (value !== '' && value !== standard)
      changed[variable] = secret ? 'set' : withoutPerhapsCredentials(value);
  }
  return changed;
}

const portOfPlatform = { variable: 'PORT', standard: '', secret: false } as const;
