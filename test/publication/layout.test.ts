import { expect, test } from 'bun:test';
import { isPublicationId, layout, newPublicationId, sourceTimeOf } from '../../src/publication/layout.ts';

test('an id contains the source time to the second and is different each time', () => {
  for (const time of ['2026-10-04T16:00:00Z', '2026-10-04T16:00:00.554Z']) {
    const id = newPublicationId(time);
    expect(id).toStartWith('20261004T160000Z-');
    expect(isPublicationId(id)).toBe(true);
    expect(sourceTimeOf(id)).toBe('2026-10-04T16:00:00Z');
    expect(newPublicationId(time)).not.toBe(id);
  }
});

test('the control socket is in the data folder unless its path is too long, counted in bytes', () => {
  const bytesMax = 100;
  const folder = (bytes: number) => `/${'d'.repeat(bytes - '//control.sock'.length)}`;
  expect(layout(folder(bytesMax)).controlSocket).toBe(`${folder(bytesMax)}/control.sock`);
  const elsewhere = [folder(bytesMax + 1), `/${'株'.repeat(34)}`].map((path) => layout(path).controlSocket);
  for (const path of elsewhere) expect(path).toMatch(/^\/tmp\/lei-[0-9a-f]{16}\.sock$/);
  expect(new Set(elsewhere).size).toBe(2);
  // Every command looks in the same place.
  expect(layout(folder(bytesMax + 1)).controlSocket).toBe(elsewhere[0] ?? '');
});
