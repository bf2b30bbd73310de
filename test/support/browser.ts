/** Starts the browser for tests of pages: Debian's chromium or the machine's chrome, driven by playwright-core. */
import { type Browser, chromium } from 'playwright-core';
import { pathOf } from './programs.ts';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: pathOf('browser'), args: ['--no-sandbox', '--disable-gpu'] });
}
