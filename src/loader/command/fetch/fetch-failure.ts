/** Why a publisher's files could not be had. */
import { ExpectedFailure } from '../../../errors.ts';
import { withoutCredentials } from '../../../urls.ts';

export type FetchFailureCode =
  /** The line or the publisher failed, again and again. */
  | 'unreachable'
  /** The publisher says that there is no such thing (404). */
  | 'not-published'
  /** The publisher refuses (403, 406 and the like). */
  | 'refused'
  /** An answer that is not what the publisher's interface promises. */
  | 'unexpected-answer'
  /** A file came with another size than was announced. */
  | 'wrong-size';

export class FetchFailure extends ExpectedFailure<FetchFailureCode> {
  override readonly name = 'FetchFailure';
  /** A running service's status tells everybody of the last failure. */
  constructor(code: FetchFailureCode, message: string) {
    super(code, withoutCredentials(message));
  }
}
