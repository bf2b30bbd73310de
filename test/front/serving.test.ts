import { expect, test } from 'bun:test';
import { ServedPublications } from '../../src/front/serving.ts';
import { controlLimits } from '../../src/protocol/control.ts';

const loading = { phase: 'reading level-1', progress: 0.5, startedAt: '2026-10-04T16:00:00Z' };

test('a load that keeps reporting is shown, however long it takes', () => {
  let now = 0;
  const serving = new ServedPublications(() => now);
  for (let told = 0; told < 100; told++) {
    serving.setLoading(loading);
    now += controlLimits.loadingRetoldMs;
    expect(serving.loading()).toEqual(loading);
  }
  serving.setLoading(null);
  expect(serving.loading()).toBeNull();
});

test('a load that stops reporting, because its command was killed, is no longer shown', () => {
  let now = 0;
  const serving = new ServedPublications(() => now);
  serving.setLoading(loading);
  now = controlLimits.loadingSilentMsMax - 1;
  expect(serving.loading()).toEqual(loading);
  now = controlLimits.loadingSilentMsMax;
  expect(serving.loading()).toBeNull();
});

test('only a load that has been silent for a while is suspected of having been killed', () => {
  let now = 0;
  const serving = new ServedPublications(() => now);
  expect(serving.perhapsKilled()).toBeNull();
  serving.setLoading(loading);
  now = controlLimits.loadingEndMsMax - 1;
  expect(serving.perhapsKilled()).toBeNull();
  now = controlLimits.loadingEndMsMax;
  expect(serving.perhapsKilled()).toEqual(loading);
  serving.setLoading(null);
  now += controlLimits.loadingEndMsMax;
  expect(serving.perhapsKilled()).toBeNull();
});
