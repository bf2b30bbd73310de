/** The values from which on `lei doctor` reports a finding. */
import { fetchLimits } from '../../loader/command/fetch/transport.ts';

export const doctorLimits = {
  /** The memory of a service with one query thread, including the room for bytes in flight. */
  serviceBytes: 416 * 2 ** 20,
  /** The most memory of each further query thread (decision 045). */
  threadBytes: 100 * 2 ** 20,
  /** A service does not fit into less than this. */
  memoryBytesMin: 192 * 2 ** 20,
  /** Disk space of a first load of all of GLEIF's data: downloads and publication. */
  firstLoadBytes: 5.5e9,
  /** The next publication may be this many times as large as the largest one here. */
  growth: 1.1,
  /** Free space in addition, as `lei update` requires it. */
  freeBytesMin: fetchLimits.freeBytesMin,
  /** Days before the end of a certificate from which on it is reported. */
  certificateDays: 14,
  /** Milliseconds that the clock may be behind the newest file. */
  clockBehindMs: 60_000,
  /** Milliseconds that a source may be published in the future. */
  sourceAheadMs: 24 * 3_600_000,
  /** The longest wait for the service's answer to a ping. */
  pingTimeoutMs: 5_000,
  /** The longest run of a command that reads the accounts. */
  stateTimeoutMs: 30_000,
} as const;
