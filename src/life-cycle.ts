/** What a service has opened, closed again in the opposite order: what faces users first, what they need last. */

export interface LifeCycle {
  /** Registers how to close what was just opened. */
  atEnd(close: () => unknown): void;
  /** Closes everything once, however often it is called. The first error is thrown when all has been tried. */
  end(): Promise<void>;
}

export function lifeCycle(): LifeCycle {
  const closers: (() => unknown)[] = [];
  let ended: Promise<void> | null = null;
  const closeAll = async () => {
    const errors: unknown[] = [];
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
  return {
    atEnd: (close) => void closers.push(close),
    end() {
      ended ??= closeAll();
      return ended;
    },
  };
}
