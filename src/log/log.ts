/**
 * The log, and the one door to pino. Messages are pino's own lines. The line of a request is made here as text and goes
 * through the same destination: a request has nothing to escape, and pino's reading of an object costs several times as
 * much (test/bench/log.ts shows the ratio).
 */
import { openSync } from 'node:fs';
import pino from 'pino';
import { holdsSecret } from '../accounts/state/key.ts';
import type { Config } from '../config.ts';
import { errorCode } from '../errors.ts';
import { type CollectorWatch, nobody, type Observer, type RequestSeen } from '../ports/observer.ts';
import type { RequestLogRule } from '../settings/rules.ts';
import { safeJsonText } from '../terminal-text.ts';

type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** An `error` field that is an Error is written with its stack trace. */
  error(message: string, fields?: LogFields): void;
  /** Whether request lines are written at this level. */
  readonly requests: boolean;
  request(seen: RequestSeen): void;
  /** Writes lines that a front thread has made. */
  lines(text: string): void;
  /** Resolves once everything logged is written. Rejects if it can't be. */
  flush(): Promise<void>;
  /** Writes the rest, if possible, and accepts no more lines. */
  end(): Promise<void>;
}

/** Request lines are passed on in blocks of this size, and at least every {@link flushEveryMs}. */
const blockCharacters = 32 * 1024;
const flushEveryMs = 250;
/** Size limit of one write to the system. */
const writeBytesMax = 256 * 1024;
/**
 * Past this much unwritten text (a stuck pipe, a full disk) lines are dropped. The log states how many as soon as it
 * can.
 */
const unwrittenBytesMax = 4 * 1024 * 1024;

/**
 * The destination of lines: an open stream such as standard error, a file for tests and benches, or in a front thread
 * the main thread, so that the lines of all threads stay intact.
 */
type LogTarget =
  | { readonly fd: number }
  | { readonly path: string }
  | { readonly post: (text: string) => void };

export function createLog(level: Config['logLevel'], target: LogTarget): Log {
  const destination = openDestination(target);
  const logger = createLogger(level, destination);
  // A failed write is tried again with the next lines. Without a listener the error would end the service.
  destination.on('error', () => undefined);
  const tellLoss = countLosses(destination, (lines) =>
    logger.warn({ lines }, "Log lines were lost: the log's destination did not accept them."),
  );
  // Request lines wait here: the destination would measure all its content at every line.
  let waiting = '';
  const handOn = () => {
    if (waiting !== '') destination.write(waiting);
    waiting = '';
  };
  const timer = setInterval(() => {
    handOn();
    tellLoss();
  }, flushEveryMs).unref();
  const flush = () => {
    handOn();
    return new Promise<void>((resolve, reject) => {
      destination.flush((error) => (error && !isOnlyUnsyncable(error) ? reject(error) : resolve()));
    });
  };
  const say =
    (write: (fields: LogFields, message: string) => void) =>
    (message: string, fields: LogFields = {}) => {
      handOn();
      write(fields, message);
    };
  return {
    debug: say((fields, message) => logger.debug(fields, message)),
    info: say((fields, message) => logger.info(fields, message)),
    warn: say((fields, message) => logger.warn(fields, message)),
    error: say((fields, message) => logger.error(fields, message)),
    requests: logger.isLevelEnabled('info'),
    request(seen) {
      waiting += requestLine(seen);
      if (waiting.length > blockCharacters) handOn();
    },
    lines(text) {
      handOn();
      destination.write(text);
    },
    flush,
    async end() {
      clearInterval(timer);
      await flush().catch(() => undefined);
      // Otherwise the process would never exit: it would keep trying to write the rest.
      destination.destroy();
    },
  };
}

/** Tells an operator whose traces do not arrive. */
export function logCollector(log: Pick<Log, 'info' | 'warn'>): CollectorWatch {
  return (reason) => {
    if (reason === null) log.info('The collector takes spans again.');
    else log.warn('The collector takes no spans. They are lost until it does.', { reason });
  };
}

/** The log as an observer: writes a line for each wanted request. Other events are logged where they happen. */
export function logObserver(log: Pick<Log, 'requests' | 'request'>, rule: RequestLogRule): Observer {
  const wanted = log.requests && (rule.all || rule.errors || rule.slowMs !== Number.POSITIVE_INFINITY);
  return {
    ...nobody,
    watchesRequests: wanted,
    request(seen) {
      const { status, durationMs } = seen;
      if (rule.all || durationMs >= rule.slowMs || (rule.errors && isError(status))) log.request(seen);
    },
  };
}

/** An unknown company and a used-up quota are ordinary answers. */
function isError(status: number): boolean {
  return status >= 400 && status !== 404 && status !== 429;
}

/** The methods of sonic-boom, which pino's own destinations are, that the log uses. */
type Destination = Pick<ReturnType<typeof pino.destination>, 'flush' | 'destroy'> & {
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
  on(event: 'drop', listener: (text: string) => void): unknown;
};

function openDestination(target: LogTarget): Destination {
  if ('post' in target) return postingDestination(target.post);
  return pino.destination({
    dest: 'fd' in target ? target.fd : openSync(target.path, 'a'),
    sync: false,
    // With 0, sonic-boom's flush would not wait for a current write.
    minLength: 1,
    maxWrite: writeBytesMax,
    maxLength: unwrittenBytesMax,
  });
}

/** Passes lines to the main thread, which does all waiting and handles all failures. */
function postingDestination(post: (text: string) => void): Destination {
  return { write: post, flush: (done) => done?.(), destroy: () => {}, on: () => {} };
}

/** @returns a function that reports the lines lost so far, if any */
function countLosses(destination: Destination, tell: (lines: number) => void): () => void {
  let lost = 0;
  destination.on('drop', (text: string) => {
    lost += text.split('\n').length - 1;
  });
  return () => {
    if (lost === 0) return;
    const before = lost;
    tell(before);
    // If this line is lost too, the next call reports the loss again.
    lost = lost > before ? before : 0;
  };
}

function createLogger(level: Config['logLevel'], destination: Destination) {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
      errorKey: 'error',
      formatters: { level: (label) => ({ level: label }) },
      // A line may contain foreign texts, such as a file's name, and many logs are read on a terminal.
      hooks: { streamWrite: (line) => `${safeJsonText(line.trimEnd())}\n` },
    },
    destination,
  );
}

/** Pipes and terminals can be written to but not synced. */
function isOnlyUnsyncable(error: Error): boolean {
  return ['EINVAL', 'ENOTSUP'].includes(errorCode(error));
}

/** One JSON line. No text in it needs escaping. */
export function requestLine(seen: RequestSeen): string {
  const { method, operation, route, about, status } = seen;
  return (
    `{"level":"info","time":"${isoTime(seen.time)}","message":"request","method":"${method}",` +
    `"operation":"${operation}","route":"${route}","identifier":${quoted(about)},"status":${status},` +
    `"durationMs":${milliseconds(seen.durationMs)},"bytes":${seen.bytes},` +
    `"requestId":"${loggable(seen.requestId)}","caller":${quoted(seen.caller)},` +
    `"datasetVersion":${quoted(seen.datasetVersion)},"traceId":${quoted(seen.traceId)}}\n`
  );
}

/** With three decimals. The table takes a tenth of the time of `toFixed`. */
function milliseconds(duration: number): string {
  const microseconds = Math.round(duration * 1_000);
  const whole = Math.floor(microseconds / 1_000);
  return `${whole}.${thousandths[microseconds - whole * 1_000] ?? '000'}`;
}
const thousandths = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(3, '0'));

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

let lastTime = 0;
let lastIsoTime = new Date(0).toISOString();
/** Under load many requests share a millisecond. */
function isoTime(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastIsoTime = new Date(time).toISOString();
  }
  return lastIsoTime;
}

/** Keeps keys out of the log: a client may have sent its own key as request id. */
export function loggable(requestId: string): string {
  return holdsSecret(requestId) ? 'withheld' : requestId;
}
