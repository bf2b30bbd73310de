/** The refusal of a file or an index whose format this program does not read. */
import { ExpectedFailure } from '../errors.ts';

/** @param what has the format, as the beginning of a sentence */
export function otherFormat<Code extends string>(
  code: Code,
  what: string,
  found: number,
  known: number,
): ExpectedFailure<Code> {
  const advice =
    found > known
      ? 'A newer version of this program made it: update this one.'
      : 'Load the data again with it.';
  return new ExpectedFailure(code, `${what} has format ${found}; this program reads ${known}. ${advice}`);
}
