/** Intervals as an operator writes them. */
import { CommandFailure } from './frame.ts';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Timers hold 31 bits of milliseconds. */
const intervalMsMax = 24 * unitsMs.d;

/** Milliseconds of `8h`, `30m`, `45s` or `1d`. @throws CommandFailure naming the option */
export function readInterval(option: string, given: unknown): number {
  const parts = /^(\d{1,7})([smhd])$/.exec(typeof given === 'string' ? given.trim() : '');
  const unit = (['s', 'm', 'h', 'd'] as const).find((known) => known === parts?.[2]);
  const interval = unit === undefined ? 0 : Number(parts?.[1]) * unitsMs[unit];
  if (interval >= 1_000 && interval <= intervalMsMax) return interval;
  throw new CommandFailure(
    'bad-option',
    `${option} is ${given} but must be an interval up to 24 days, as 8h, 30m or 1d.`,
  );
}
