/** Reads option values. The message about a value that commander does not check says what is allowed. */
import { writtenDate } from '../lei/dates.ts';
import { CommandFailure, type Options, wholeNumber } from './frame.ts';

/** @param right the end of the sentence "it must be …" */
export function badOption(option: string, given: unknown, right: string): CommandFailure {
  return new CommandFailure('bad-option', `${option} is ${given} but must be ${right}.`);
}

/** The text of an option; null without it. */
export function textIn(options: Options, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

/** The number of an option that commander has read as one; null without it. */
export function numberIn(options: Options, name: string): number | null {
  const value = options[name];
  return typeof value === 'number' ? value : null;
}

/** `--format`, which commander has checked. */
export function formatIn<Format extends string>(
  { format }: Options,
  formats: readonly Format[],
  standard: Format,
): Format {
  return formats.find((each) => each === format) ?? standard;
}

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** One timer covers it. */
const intervalMsMax = 24 * unitsMs.d;

/** Reads `8h`, `30m`, `45s` or `1d` as milliseconds. @throws CommandFailure naming the option */
export function readInterval(option: string, given: unknown): number {
  const parts = /^(\d{1,7})([smhd])$/.exec(typeof given === 'string' ? given.trim() : '');
  const unit = (['s', 'm', 'h', 'd'] as const).find((known) => known === parts?.[2]);
  const interval = unit === undefined ? 0 : Number(parts?.[1]) * unitsMs[unit];
  if (interval >= 1_000 && interval <= intervalMsMax) return interval;
  throw badOption(option, given, 'an interval of up to 24 days, such as 8h, 30m or 1d');
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

/** Reads `--published-at`: a UTC time as the service writes it; null without it. @throws CommandFailure */
export function readPublishedAt(given: unknown): string | null {
  if (given === undefined) return null;
  const time = typeof given === 'string' ? writtenDate(given) : null;
  if (time !== null) return time;
  throw badOption('--published-at', given, 'a valid UTC time such as 2026-11-20T16:00:00Z');
}
