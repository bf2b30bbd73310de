/**
 * Sessions: the port to the signed-in users of `/account`. A session belongs to the key that opened it. It ends after
 * an hour, or earlier with the key, with the account, or by signing out on any node. While the account is suspended it
 * counts as ended.
 */

/** How long a session lasts. */
export const sessionMs = 3_600_000;

/** Limits of sessions. */
export const sessionLimits = {
  /** Of one account at once: a further one ends the oldest. */
  perAccountMax: 10,
  /** Of all accounts at once: a further one is refused. */
  inAllMax: 100_000,
  /** Forms that are sent in one session. */
  formsMax: 500,
} as const;

/** The signed-in user. */
export interface Session {
  readonly accountId: string;
  /** The key that opened the session. */
  readonly keyId: string;
  /** Epoch milliseconds. */
  readonly openedAt: number;
}

/**
 * `sent-before`: a form of this name was sent in this session. `too-many`: the session has sent as many as it may.
 * `ended`: there is no such session any more.
 */
export type FormClaim = 'claimed' | 'sent-before' | 'too-many' | 'ended';

/** `digest` is the SHA-256 of a session's random id, base64; only the browser knows the id itself. */
export interface Sessions {
  /** False if there are too many in total. */
  open(digest: string, session: Session): Promise<boolean>;
  /** Null if there is none, or it has ended. @param now epoch milliseconds */
  find(digest: string, now: number): Promise<Session | null>;
  /**
   * Claims a form for the one change that it may make; of several that claim it at once, one succeeds.
   * @param form its random name, at most 64 characters
   * @param now epoch milliseconds
   */
  claim(digest: string, form: string, now: number): Promise<FormClaim>;
  /** Signs out. */
  end(digest: string): Promise<void>;
  /** Deletes expired sessions, which nobody finds any more. @param now epoch milliseconds */
  forgetEnded(now: number): Promise<void>;
}
