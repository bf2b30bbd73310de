/**
 * Fails if the log of a service that a test starts contains a key. bunfig.toml preloads this file, so that it sees all
 * tests.
 */
import { afterAll, expect } from 'bun:test';
import { foundKeys } from './logs-hold-no-key.ts';

afterAll(() => {
  expect(foundKeys()).toEqual([]);
});
