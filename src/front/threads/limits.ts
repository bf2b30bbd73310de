/** Bounds of the pool of query threads. */
export const threadLimits = {
  /** Look-ups waiting for one query thread: a quarter of a second of work. Past it a request is answered 503 at once. */
  queuedQuickQuestionsPerThreadMax: 8192,
  /**
   * Slow questions waiting for each query thread: a second of work. As many again wait for clients that have no other
   * question waiting. So many of any kind wait where no thread is left.
   */
  queuedSlowQuestionsPerThreadMax: 2048,
  /** Slow questions of one client that wait. Past it a request of that client is answered 503 at once. */
  waitingQuestionsPerClientMax: 1024,
  /** Turns of newcomers before one of a client that has had a turn (fair-queue.ts). */
  newcomersInRowMax: 8,
  /**
   * Slow questions handed to a thread and not answered yet; all others wait in turns by client. Enough to keep the thread
   * busy until it gets the next ones, few enough that a client's turn comes soon.
   */
  slowQuestionsInThreadMax: 16,
  /**
   * Look-ups that a thread may have unanswered and still keep up: some three milliseconds of work. Up to there a front
   * sends all its look-ups to this thread, so that many travel together.
   */
  quickQuestionsKeptUpMax: 512,
  /** Interval of the search for questions past their deadline. */
  questionSweepMs: 250,
  /** A thread that owes answers and has given none for this long is stuck: it is ended and replaced. */
  threadSilentMsMax: 30_000,
  /** Time for a query thread to load its code. */
  threadStartTimeoutMs: 30_000,
  /** Time for a query thread to close everything at shutdown. */
  threadEndTimeoutMs: 2_000,
  /** Pause before a second try to start a thread; it doubles up to the second figure. */
  threadRestartPauseMs: 100,
  threadRestartPauseMsMax: 5_000,
  /** How often a question is asked again after the thread that had it died. */
  questionRetriesMax: 1,
  /**
   * A batch with this many questions is sent before the tick ends, so that the thread answers the first while the
   * front still reads the rest.
   */
  batchedQuestionsMax: 16,
  /** Time for a query thread to open or close a publication, and for the process that inspects one before. */
  openTimeoutMs: 60_000,
} as const;
