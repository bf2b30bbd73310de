import { expect, test } from 'bun:test';
import { ServedPublications } from '../../src/front/serving.ts';
import { controlLimits } from '../../src/protocol/control-limits.ts';
import { manifestOf } from '../support/manifest.ts';

const first = { manifest: manifestOf('20261004T160000Z-first'), activatedAt: '2026-10-04T17:00:00Z' };
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

test('the active publication answers new questions until the service drains, on a front as in the main thread', () => {
  const now = new ServedPublications();
  expect(now.answering).toBe('no-publication');
  now.switchTo(first, { id: first.manifest.id, activatedAt: first.activatedAt, previous: [] });
  expect(now.answering).toBe(first);
  const ofFront = new ServedPublications();
  ofFront.adopt(now.now());
  expect(ofFront.answering).toBe(first);
  now.drain();
  expect(now.answering).toBe('shutting-down');
  ofFront.adopt(now.now());
  expect(ofFront.answering).toBe('shutting-down');
  now.serveNone();
  expect(now.answering).toBe('no-publication');
});
