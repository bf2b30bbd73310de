/** Reads option values that commander does not check. The message about a wrong value says what is allowed. */
import { writtenDate } from '../lei/dates.ts';
import { loaderLimits } from '../loader/limits.ts';
import { type GateName, gateNames, type LoadRequest } from '../loader/load-request.ts';
import { CommandFailure, wholeNumber } from './frame.ts';

/** @param right the end of the sentence "it must be …" */
export function badOption(option: string, given: unknown, right: string): CommandFailure {
  return new CommandFailure('bad-option', `${option} is ${given} but must be ${right}.`);
}

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** A timer takes 31 bits of milliseconds: 24.8 days. */
const intervalMsMax = 24 * unitsMs.d;

/** Reads `8h`, `30m`, `45s` or `1d` as milliseconds. @throws CommandFailure naming the option */
export function readInterval(option: string, given: unknown): number {
  const parts = /^(\d{1,7})([smhd])$/.exec(typeof given === 'string' ? given.trim() : '');
  const unit = (['s', 'm', 'h', 'd'] as const).find((known) => known === parts?.[2]);
  const interval = unit === undefined ? 0 : Number(parts?.[1]) * unitsMs[unit];
  if (interval >= 1_000 && interval <= intervalMsMax) return interval;
  throw badOption(option, given, 'an interval of up to 24 days, such as 8h, 30m or 1d');
}

/** Reads the names given to `--skip-gate`. @throws CommandFailure listing the gates */
export function readSkippedGates(given: unknown): readonly GateName[] {
  if (!Array.isArray(given)) return [];
  return given.map((name) => {
    const gate = gateNames.find((known) => known === name);
    if (gate !== undefined) return gate;
    throw new CommandFailure(
      'unknown-gate',
      `There is no gate ${name}; the gates are ${gateNames.join(', ')}.`,
    );
  });
}

/** Reads a share from 0 to 1. @throws CommandFailure naming the option */
export function readShare(option: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback;
  const share = Number(given);
  if (typeof given === 'string' && given.trim() !== '' && share >= 0 && share <= 1) return share;
  throw badOption(option, given, 'a share from 0 to 1');
}

/** Reads `--keep`: how many publications stay, the active one among them. */
export const readKeep = wholeNumber(1, 1_000);

/** The option of every command that loads. */
export const threadsOption = [
  '--threads <n>',
  `cores to use, 1 to ${loaderLimits.threadsMax} (default: 1 beside a running service, else all, at most ${loaderLimits.threadsUsual})`,
  wholeNumber(1, loaderLimits.threadsMax),
] as const;

/** Adds the value of {@link threadsOption} to a request; nothing without the option. */
export function readThreads(given: unknown): Pick<LoadRequest, 'threads'> {
  return typeof given === 'number' ? { threads: given } : {};
}

/** Reads a UTC time as the service writes it; null without the option. @throws CommandFailure naming the option */
export function readTime(option: string, given: unknown): string | null {
  if (given === undefined) return null;
  const time = typeof given === 'string' ? writtenDate(given) : null;
  if (time !== null) return time;
  throw badOption(option, given, 'a valid UTC time such as 2026-11-20T16:00:00Z');
}
