/** From which values on `lei doctor` has something to say. */

export const doctorLimits = {
  /** A service with one query thread takes this much, with the room for bytes in flight. */
  serviceBytes: 416 * 2 ** 20,
  /** Each further query thread takes this much. */
  threadBytes: 40 * 2 ** 20,
  /** Less than this can't hold the service. */
  memoryBytesMin: 192 * 2 ** 20,
  /** Disk space of a first load of all of GLEIF's data: downloads and publication. */
  firstLoadBytes: 5.5e9,
  /** A next publication may be so many times as large as the largest one here. */
  growth: 1.1,
  /** Free space on top of that, as `lei update` keeps it. */
  freeBytesMin: 256e6,
  /** Days before the end of a certificate from which on it is noted. */
  certificateDays: 14,
  /** The clock may be behind the newest file by so many milliseconds. */
  clockBehindMs: 60_000,
  /** A source may be published so many milliseconds in the future. */
  sourceAheadMs: 24 * 3_600_000,
  /** The service's answer to a ping. */
  pingTimeoutMs: 5_000,
  /** A command that reads the accounts. */
  stateTimeoutMs: 30_000,
} as const;
