/** Starts the browser for tests of pages: Debian's chromium or the machine's chrome, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of an installed browser, or null. */
export const browserPath: string | null = places.find((path) => existsSync(path)) ?? null;

export function launchBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Says that a test did not run: it must not look as if it had passed. */
export function sayNotRun(what: string): void {
  process.stderr.write(
    `\n*** NOT RUN: ${what}. No browser was found at ${places.join(', ')}; apt-get install chromium brings one. ***\n\n`,
  );
}
