/** Bounds of the data that access remembers, and the pace of its housekeeping. */
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
  saveEveryMs: 1_000,
  /** Days that are over are forgotten this many ticks after the start, and then this often. */
  forgetFirstTick: 60,
  forgetEveryTicks: 3_600,
  /** While saving keeps failing, it is logged this often (in ticks). */
  failureLoggedEveryTicks: 60,
} as const;
