/** Limits of shipping publications. */
export const shippingLimits = {
  /** A zstd dictionary is of little use beyond its first MiB, so segments are no larger. */
  segmentBytes: 1024 * 1024,
  /** Segments that are read, compressed and moved at a time. Each takes a few MiB. */
  segmentsAtATime: 4,
  /** The shipment of the full data (3.45 million companies) has about 1 MB. */
  shipmentBytesMax: 64 * 1024 * 1024,
  announcementBytesMax: 64 * 1024,
  /** How long a read of the announcement may take, to its last byte. */
  announcementTimeoutMs: 10_000,
  /** How far ahead an activation may be announced. More is a mistake, or the clock of a machine is wrong. */
  activationAheadMsMax: 3_600_000,
  /** Nodes are warned of a clock that is behind from here on: activations are announced some seconds ahead. */
  activationAheadMsUsual: 60_000,
  /** A node that is behind an announcement for this long warns. */
  behindMsMax: 600_000,
  /** How long a key of the operator may take to read, and its greatest size. */
  fileTimeoutMs: 5_000,
  keyBytesMax: 16 * 1024,
  /** How long one object may take before the try counts as failed. */
  objectTimeoutMs: 60_000,
  /** Tries of one object, the first included. */
  triesMax: 5,
  /** The pause before the second try; it doubles before each further one. */
  retryPauseMs: 500,
  /** An object that no shipment names may belong to a publication that is being published. Older ones are swept. */
  unnamedAgeMsMax: 24 * 3_600_000,
  /** How often a node reads the announcement, give or take a quarter. */
  announcementPollMs: 1_000,
  /** How long nodes have to get ready, by default. */
  deadlineMs: 600_000,
  /** How far ahead an activation is announced: every node reads it within this time. */
  activationLeadMs: 2_500,
  /** The same if some nodes are left behind: balancers need this long to notice. */
  activationLeadLateMs: 15_000,
  /** A starting node is not ready before its first check of the announcement, or for this long. */
  firstLookMsMax: 10_000,
  /** The longest pause between two tries of a publication that can't be fetched. */
  againMsMax: 60_000,
  /** How long after an activation a roll-out waits for the nodes to report that they serve it. */
  servedMsMax: 15_000,
  /** How long nodes have to report again to a shared state that was away, or has lost its list of nodes. */
  reportAgainMs: 5_000,
  /** How often a node checks whether its last report is still true. */
  reportMs: 250,
  /** How long a change of the announcement waits for another to end. */
  lockWaitMs: 10_000,
} as const;

/** Give or take a quarter, so that not all nodes ask at the same moment. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + Math.random() / 2);
}
