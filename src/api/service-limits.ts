/** The limits of the whole service, as `lei limits` and `lei status` show them: what is configured, and what was changed. */
import { type Static, Type } from '@sinclair/typebox';
import type { Config } from '../config.ts';
import { nullable } from '../lei/schema.ts';
import { type ServiceLimits, serviceLimitNames } from '../ports/account-directory.ts';

const LimitSchema = Type.Object({
  /** From the environment. */
  configured: Type.Integer(),
  /** Applies in its place; null if it was not changed. */
  changed: nullable(Type.Integer()),
});

export const ShownLimitsSchema = Type.Record(Type.String(), LimitSchema);
export type ShownLimits = Static<typeof ShownLimitsSchema>;

/** The limits, by name. */
export function shownLimits(config: Config, changed: ServiceLimits): ShownLimits {
  const limits = serviceLimitNames.map((name) => [
    name,
    { configured: config[name], changed: changed[name] ?? null },
  ]);
  return Object.fromEntries(limits);
}

/** `anonymous-daily 50 instead of 100` for each limit that was changed. */
export function changedLimits(limits: ShownLimits): readonly string[] {
  return Object.entries(limits).flatMap(([name, { configured, changed }]) =>
    changed === null ? [] : [`${optionOf(name)} ${changed} instead of ${configured}`],
  );
}

/** The option of `lei limits` for a limit, without dashes in front: `anonymous-daily`. */
export function optionOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
