/** The expected failures of an update's downloads. */
import { ExpectedFailure } from '../../../errors.ts';
import { safeLines } from '../../../terminal-text.ts';
import { withoutCredentials } from '../../../urls.ts';

type FetchFailureCode =
  /** The connection or the publisher failed several times in a row. */
  | 'unreachable'
  /** The publisher answered 404. */
  | 'not-published'
  /** The publisher refused: 403, 406 and similar. */
  | 'refused'
  /** The answer differs from what the publisher's interface promises. */
  | 'unexpected-answer'
  /** The file is not of the announced size, or more arrives. */
  | 'wrong-size'
  /** Neither the publisher's list nor the answer states the size of a file. */
  | 'no-size'
  /** An address that must not be asked: a foreign host, or plain http after https. */
  | 'unsafe-address'
  /** The disk would have too little free space left. */
  | 'no-space';

export class FetchFailure extends ExpectedFailure<FetchFailureCode> {
  override readonly name = 'FetchFailure';
  /** Messages are public: the status of a running service shows the last failure. */
  constructor(code: FetchFailureCode, message: string) {
    super(code, safeLines(withoutCredentials(message)));
  }
}
