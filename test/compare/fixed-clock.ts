/** Preloaded into a compared service: fixes the date, so that quotas and their headers are fixed too. */
const moment = Date.UTC(2026, 10, 1, 12, 0, 0, 250);

globalThis.Date = class extends Date {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [moment] : given) as [number]));
  }
  static override now(): number {
    return moment;
  }
} as DateConstructor;
