/**
 * The one door to pino. Messages are pino's own lines; the line of a request is made here as text and goes
 * through the same destination, because a request has nothing to escape and pino's object walk would cost several
 * times as much (test/bench/log.ts shows the ratio).
 */
import { openSync } from 'node:fs';
import pino from 'pino';
import type { LogLevel } from '../config.ts';
import { errorCode } from '../errors.ts';
import type { RequestSeen } from '../ports/observer.ts';

/** What the log tells of a request. */
export type RequestRecord = Omit<RequestSeen, 'operation'>;

type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  /** An `error` field that is an Error is written with its trace. */
  error(message: string, fields?: Fields): void;
  /** Whether request lines are written at all; saves the caller the making of the record. */
  readonly requests: boolean;
  request(record: RequestRecord): void;
  /** Resolves once all that was logged is written; rejects where it can't be. */
  flush(): Promise<void>;
  /** Writes what is left, where that is possible, and takes no more lines. */
  end(): Promise<void>;
}

/** Request lines are handed on in blocks of this size, or as often as {@link flushEveryMs} says. */
const blockCharacters = 32 * 1024;
const flushEveryMs = 250;
/** One write to the system holds at most this. */
const writeBytesMax = 256 * 1024;
/** Past this much unwritten text (a stuck pipe, a full disk) lines are lost; how many is told when there is room. */
const unwrittenBytesMax = 4 * 1024 * 1024;

/** Where lines go: a stream that is open, as standard error, or a file for tests and benches. */
export type LogTarget = { readonly fd: number } | { readonly path: string };

export function createLog(level: LogLevel, target: LogTarget): Log {
  const destination = openDestination(target);
  const logger = createLogger(level, destination);
  // What can't be written is tried again with what comes next. Unheard, the error would end the service.
  destination.on('error', () => undefined);
  const tellLoss = countLosses(destination, (lines) =>
    logger.warn({ lines }, 'Log lines were lost: what the log is written to took no more of them.'),
  );
  // Request lines wait here, not in the destination, which measures all it holds at every line.
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
    (write: (fields: Fields, message: string) => void) =>
    (message: string, fields: Fields = {}) => {
      handOn();
      write(fields, message);
    };
  return {
    debug: say((fields, message) => logger.debug(fields, message)),
    info: say((fields, message) => logger.info(fields, message)),
    warn: say((fields, message) => logger.warn(fields, message)),
    error: say((fields, message) => logger.error(fields, message)),
    requests: logger.isLevelEnabled('info'),
    request(record) {
      waiting += requestLine(record);
      if (waiting.length > blockCharacters) handOn();
    },
    flush,
    async end() {
      clearInterval(timer);
      await flush().catch(() => undefined);
      // Else the process would try for ever to write the rest when it exits.
      destination.destroy();
    },
  };
}

type Destination = ReturnType<typeof pino.destination>;

function openDestination(target: LogTarget): Destination {
  return pino.destination({
    dest: 'fd' in target ? target.fd : openSync(target.path, 'a'),
    sync: false,
    // With none at all, sonic-boom's flush would not wait for what is being written.
    minLength: 1,
    maxWrite: writeBytesMax,
    maxLength: unwrittenBytesMax,
  });
}

/** @returns what tells of the lines lost so far, if any */
function countLosses(destination: Destination, tell: (lines: number) => void): () => void {
  let lost = 0;
  destination.on('drop', (text: string) => {
    lost += text.split('\n').length - 1;
  });
  return () => {
    if (lost === 0) return;
    const before = lost;
    tell(before);
    // Where there is no room for this line either, it is told again.
    lost = lost > before ? before : 0;
  };
}

function createLogger(level: LogLevel, destination: Destination) {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
      errorKey: 'error',
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** A pipe or a terminal has been written to like a file, but can't be synced to a disk. */
function isOnlyUnsyncable(error: Error): boolean {
  return ['EINVAL', 'ENOTSUP'].includes(errorCode(error));
}

/** One JSON line. Every text in a record is made of characters that JSON leaves alone. */
export function requestLine(record: RequestRecord): string {
  const { method, route, status } = record;
  return (
    `{"level":"info","time":"${isoTime(record.time)}","message":"request","method":"${method}",` +
    `"route":"${route}","status":${status},"durationMs":${milliseconds(record.durationMs)},` +
    `"requestId":"${loggable(record.requestId)}","caller":${quoted(record.caller)},` +
    `"publication":${quoted(record.publication)}}\n`
  );
}

/** To the microsecond. A table takes a tenth of the time of `toFixed`. */
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

/** A client may have chosen its own key as request id; the key's secret never reaches the log. */
function loggable(requestId: string): string {
  return requestId.includes('lei_live_') ? 'withheld' : requestId;
}
