/** The one door to cli-progress: shows a bar on a terminal, and elsewhere a line every few seconds; on standard error. */
import type { DownloadProgress } from '../loader/command/fetch/fetch-update.ts';
import type { PublishedFile } from '../loader/command/fetch/publishers.ts';
import type { LoadProgress } from '../loader/load-request.ts';
import { safeLines } from '../terminal-text.ts';
import { timeLeft } from './time-left.ts';

const readBars = (): typeof import('cli-progress') => require('cli-progress');

interface Display {
  update(progress: LoadProgress): void;
  /** Writes a message without tearing the bar. */
  message(message: string): void;
  stop(): void;
}

/** Disposing of it stops it. */
export type ProgressDisplay = Display & Disposable;

/** Pause between two lines about one thing. */
const lineEveryMs = 3_000;

/** Escape sequences of a terminal. */
const [wrapLines, cutLines, saveCursor] = ['\u001b[?7h', '\u001b[?7l', '\u001b7'];

const stream: NodeJS.WriteStream = process.stderr;

/** @param phase that needs no line of its own when it begins */
export function progressDisplay(phase = ''): ProgressDisplay {
  const display = stream.isTTY === true ? barDisplay() : lineDisplay(phase);
  return { ...display, [Symbol.dispose]: display.stop };
}

/**
 * Shows the progress of downloads; `update` returns the downloaded share of all bytes, 0 to 1.
 * @param files to be downloaded; those of unknown size don't count towards the share
 */
export function downloadDisplay(files: readonly PublishedFile[]) {
  const display = progressDisplay();
  const bytesTotal = files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const arrived = new Map<string, number>();
  return {
    ...display,
    update({ file, bytes, bytesInAll }: DownloadProgress): number {
      if (bytesInAll !== null) arrived.set(file, bytes);
      const here = [...arrived.values()].reduce((sum, each) => sum + each, 0);
      const progress = bytesTotal === 0 ? 0 : Math.min(1, here / bytesTotal);
      display.update({ phase: `downloading ${file}`, progress, bytes: here, bytesTotal, rows: 0 });
      return progress;
    },
  };
}

/**
 * Paces the progress lines of a command that shows nothing else.
 * @returns a function that passes a message on if the last one, or the start, was some seconds ago; the text is made
 * only then
 */
export function everyFewSeconds(say: (message: string) => void): (message: () => string) => void {
  let last = performance.now();
  return (message) => {
    const now = performance.now();
    if (now - last < lineEveryMs) return;
    last = now;
    say(message());
  };
}

function barDisplay(): Display {
  const numbers = numbersShown();
  const { Format, SingleBar } = readBars();
  const bar = new SingleBar({
    stream,
    hideCursor: true,
    clearOnComplete: true,
    format: (options, { progress }, payload) => {
      const text = ` ${(progress * 100).toFixed(0).padStart(3)} % ${payload.text}`;
      return Format.BarFormat(progress, { ...options, barsize: barSize(stream.columns, text) }) + text;
    },
  });
  bar.start(1, 0, { text: '' });
  return {
    update(progress) {
      // A short terminal cuts off the end, so the phase comes last: it may hold a long file name.
      const text = [...numbers(progress), progress.phase].join(', ');
      bar.update(progress.progress, { text: safeLines(text) });
    },
    message(message) {
      // Clear the bar's line and write; the next update draws the bar below. The bar has turned line wrapping off and
      // saved a cursor, so set both again.
      stream.write(`\r\u001b[K${wrapLines}${safeLines(message)}\n${cutLines}${saveCursor}`);
    },
    stop: () => bar.stop(),
  };
}

/** Columns that the text leaves free, from 10 to 40. */
function barSize(columns: number, text: string): number {
  return Math.max(10, Math.min(40, columns - text.length));
}

function lineDisplay(begun: string): Display {
  const numbers = numbersShown();
  let told = performance.now();
  let phase = begun;
  return {
    update(progress) {
      if (performance.now() - told < lineEveryMs && progress.phase === phase) return;
      told = performance.now();
      phase = progress.phase;
      const text = [phase, ...numbers(progress)].join(', ');
      stream.write(`${(progress.progress * 100).toFixed(0)} % ${safeLines(text)}\n`);
    },
    message: (message) => void stream.write(`${safeLines(message)}\n`),
    stop() {},
  };
}

/** Such as "120 of 483 MB", "862,000 rows", "41,000 rows/s", "1:20 left". */
function numbersShown(): (progress: LoadProgress) => readonly string[] {
  const began = performance.now();
  const leftAt = timeLeft();
  return ({ progress, bytes, bytesTotal, rows }) => {
    const seconds = Math.max((performance.now() - began) / 1000, 0.001);
    const left = leftAt(progress, seconds);
    const ofRows = [
      `${rows.toLocaleString('en')} rows`,
      `${Math.round(rows / seconds).toLocaleString('en')} rows/s`,
    ];
    return [
      // An export does not know how many bytes it will write, and a download has no rows yet.
      ...(bytesTotal > 0 ? [`${megabytes(bytes)} of ${megabytes(bytesTotal)} MB`] : []),
      ...(rows > 0 ? ofRows : []),
      ...(left === null ? [] : [`${duration(left)} left`]),
    ];
  };
}

function megabytes(bytes: number): string {
  return bytes < 10e6 ? (bytes / 1e6).toFixed(1) : Math.round(bytes / 1e6).toLocaleString('en');
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
