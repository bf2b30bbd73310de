/** Limits of the data that access keeps in memory, and the intervals of its housekeeping. */
export const accessLimits = {
  /** A longer `Authorization` header can't be a key and is not read. */
  authorizationCharactersMax: 256,
  /** Entries of `X-Forwarded-For` that are read, from the right. */
  forwardedHopsMax: 32,
  /** Longest text of an address with brackets and port. */
  addressCharactersMax: 64,
  /** Addresses, and keys in use, whose hash is remembered, in each of two generations. */
  rememberedMax: 50_000,
  rememberedMs: 60_000,
  /** Answers in 60 seconds for which the service itself failed, and that cost their client nothing. */
  freeFailuresPerMinute: 10,
  saveEveryMs: 1_000,
  /** Counts of clients are kept for today and yesterday. */
  countDaysKept: 2,
  /** Past days are deleted this many ticks after the start, and then at this interval. */
  forgetFirstTick: 60,
  forgetEveryTicks: 3_600,
  /** While saving keeps failing, it is logged at this interval (in ticks). */
  failureLoggedEveryTicks: 60,
} as const;
