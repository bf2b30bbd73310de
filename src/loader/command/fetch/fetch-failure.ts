/** The expected failures of an update's downloads. */
import { ExpectedFailure } from '../../../errors.ts';
import { withoutCredentials } from '../../../urls.ts';

export type FetchFailureCode =
  /** The line or the publisher failed several times in a row. */
  | 'unreachable'
  /** The publisher answered 404. */
  | 'not-published'
  /** The publisher refused: 403, 406 and the like. */
  | 'refused'
  /** The answer differs from what the publisher's interface promises. */
  | 'unexpected-answer'
  /** The file has another size than announced. */
  | 'wrong-size';

export class FetchFailure extends ExpectedFailure<FetchFailureCode> {
  override readonly name = 'FetchFailure';
  /** Messages are public: the status of a running service shows the last failure. */
  constructor(code: FetchFailureCode, message: string) {
    super(code, withoutCredentials(message));
  }
}
