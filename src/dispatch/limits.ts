/** Limits of what crosses between fronts and query threads, and of the pool that these threads form. */

/** Limits of the line between the front and one query thread. */
export const lineLimits = {
  /** Shared memory for questions on their way to the thread. A batch that does not fit is posted. */
  questionRingBytes: 256 * 1024,
  /** Shared memory for answers on their way back. Small enough to stay in a processor's cache. */
  answerRingBytes: 1024 * 1024,
  /** Bytes of an answer that cross before the rest is made, if its question takes parts (decision 138). */
  partBytes: 64 * 1024,
  /** An answer that will have fewer bytes comes in one piece. */
  partedBytesMin: 128 * 1024,
  /** Weight of a slow question in load balancing, in look-ups. */
  slowQuestionWork: 16,
  /** How long a question may wait for its answer. Both ends enforce this time. */
  questionTimeoutMs: 5_000,
} as const;

/** Limits of the pool of query threads, and of starting any thread again. */
export const threadLimits = {
  /** Look-ups waiting for one query thread: a quarter of a second of work. Beyond it a request gets 503 at once. */
  queuedQuickQuestionsPerThreadMax: 8192,
  /**
   * Slow questions waiting for each query thread: a second of work. As many again wait for clients that have no other
   * question waiting. As many of any kind wait if no thread is left.
   */
  queuedSlowQuestionsPerThreadMax: 2048,
  /** Waiting slow questions of one client. Beyond it a request of that client gets 503 at once. */
  waitingQuestionsPerClientMax: 1024,
  /** Turns by cost before one of the client that has waited longest (fair-queue.ts). */
  turnsByCostInRowMax: 8,
  /** The cost of a client's questions counts half after this long. */
  costHalvesMs: 10_000,
  /**
   * Clients that have cost at most this much lately are served in turn, whatever each has cost: about a minute's quota of
   * usual searches.
   */
  ordinaryClientMs: 32,
  /** Clients whose costs are remembered; of more, those that asked longest ago are forgotten. */
  costsRememberedMax: 20_000,
  /** The weight of the last question in the expected cost of its kind. */
  costLearnedShare: 0.1,
  /** Work for which there is no time within this share of a question's deadline is refused before it starts. */
  plannedShareMax: 0.8,
  /** A question that is expected to cost more is dear: milliseconds of a query thread. */
  dearMs: 4,
  /**
   * The expected cost of slow questions in a thread from which on it gets no dear ones: those that it has keep it busy
   * until it gets the next. It goes on getting cheap ones, which it answers first.
   */
  dearMsInThreadMax: 20,
  /**
   * Slow questions sent to a thread and not answered yet; all others wait for their client's turn. Enough to keep the
   * thread busy until it gets the next ones, few enough that a client's turn comes soon.
   */
  slowQuestionsInThreadMax: 16,
  /**
   * Look-ups that a thread may have unanswered and still keep up: about three milliseconds of work. Up to this number a
   * front sends all its look-ups to this thread, so that many travel together.
   */
  quickQuestionsKeptUpMax: 512,
  /** Interval of the search for questions past their deadline. */
  questionSweepMs: 250,
  /** A thread that owes answers and has given none for this long is stuck: it is terminated and replaced. */
  threadSilentMsMax: 30_000,
  /** Time for a query thread to load its code. */
  threadStartTimeoutMs: 30_000,
  /** Time for a query thread to close everything at shutdown. */
  threadEndTimeoutMs: 2_000,
  /** Pause before a second try to start a thread; it doubles up to the second figure. */
  restartPauseMs: 100,
  restartPauseMsMax: 5_000,
  /** How often a question is asked again after its thread ended. */
  questionRetriesMax: 1,
  /**
   * A batch with this many questions is sent before the tick ends, so that the thread answers the first while the
   * front still reads the rest.
   */
  batchedQuestionsMax: 16,
  /** Time for a query thread to open or close a publication, and for the process that inspects one first. */
  openTimeoutMs: 60_000,
} as const;
