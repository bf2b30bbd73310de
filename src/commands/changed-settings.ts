/** Lists the settings that differ from their defaults, for the line that the service logs at its start. */
import { variables } from '../config.ts';
import { withoutPerhapsCredentials } from '../urls.ts';

/** Settings whose values only the operator may know. */
const secrets: ReadonlySet<string> = new Set(['LEI_CURSOR_SECRET', 'LEI_KEY']);

/** Name → value, with `set` in place of a secret and `…` in place of a possible user name and password in a URL. */
export function changedSettings(environment: Readonly<Record<string, string | undefined>>) {
  const changed: Record<string, string> = {};
  for (const [name, standard] of [...Object.entries(variables), ['PORT', ''] as const]) {
    const value = environment[name]?.trim() ?? '';
    if (value === '' || value === standard) continue;
    changed[name] = secrets.has(name) ? 'set' : withoutPerhapsCredentials(value);
  }
  return changed;
}
