/**
 * A log that writes each message at most once a second: a failure that happens thousands of times must not fill the
 * disk.
 */
import type { Log } from './log.ts';

/** Time between two lines of one message. */
const pauseMs = 1_000;
/** The most messages that are held back at once. Further ones are written at once. */
const messagesMax = 100;

type LogLevel = 'info' | 'warn' | 'error';
type Levels = Pick<Log, LogLevel>;
type Fields = Readonly<Record<string, unknown>>;

interface CalmLog extends Levels {
  /** Writes the messages that were held back. */
  flush(): void;
}

/** The repetitions since the last line of a message. */
interface HeldBack {
  times: number;
  /** Writes the latest, with the number of times. */
  write: () => void;
}

/**
 * Writes the first of equal messages at once; then, after each second, the latest one with the number of `times`.
 * Messages with the same error are equal.
 * @param later calls an action after the pause
 */
export function calmLog(log: Levels, later: (action: () => void) => void = afterPause): CalmLog {
  const held = new Map<string, HeldBack>();
  const hold = (key: string) => {
    const since: HeldBack = { times: 0, write: () => {} };
    held.set(key, since);
    later(() => {
      if (held.get(key) !== since) return;
      held.delete(key);
      since.write();
      // Continues as long as the message repeats.
      if (since.times > 0) hold(key);
    });
  };
  const say =
    (level: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      const key = keyOf(message, fields);
      const since = held.get(key);
      if (since === undefined) {
        log[level](message, fields);
        if (held.size < messagesMax) hold(key);
      } else {
        since.times++;
        since.write = () => log[level](message, { times: since.times, ...fields });
      }
    };
  const flush = () => {
    for (const { write } of held.values()) write();
    held.clear();
  };
  return { info: say('info'), warn: say('warn'), error: say('error'), flush };
}

function keyOf(message: string, { error }: Fields): string {
  return error instanceof Error ? `${message} ${error.message}` : message;
}

/** The timer does not keep the process alive. */
function afterPause(action: () => void): void {
  setTimeout(action, pauseMs).unref();
}
