/** Closes what a service has opened, in the opposite order: first what faces users, last what the rest depends on. */

export interface LifeCycle {
  /** Registers a function that closes what was just opened. */
  atEnd(close: () => unknown): void;
  /** Closes everything once, however often it is called. Tries all, then throws the first error. */
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
