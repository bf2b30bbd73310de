import { expect, test } from 'bun:test';
import { publicStatus, serviceStatus, withoutFolders } from '../../src/api/status.ts';
import { ServedPublications } from '../../src/front/serving.ts';
import { manifestOf } from '../support/manifest.ts';

const loading = { phase: 'reading level-1', progress: 0.5, startedAt: '2026-10-04T16:00:00Z' };
const failure = { at: '2026-10-04T16:00:00Z', phase: 'activate', message: 'It is damaged.' };
const [earlier, later] = ['20261001T000000Z-00000001', '20261002T000000Z-00000002'];

test('the status is unavailable or loading without a publication, and names the last failure', () => {
  const serving = new ServedPublications();
  serving.fail(failure);
  expect(serviceStatus(serving, 61_999)).toMatchObject({
    status: 'unavailable',
    publication: null,
    counts: null,
    loading: null,
    lastFailure: failure,
    uptimeSeconds: 61,
  });
  serving.setLoading(loading);
  expect(serviceStatus(serving, 0)).toMatchObject({ status: 'loading', publication: null, loading });
});

test('the status names the publication, its activation and the earlier ones still held', () => {
  const serving = new ServedPublications();
  const [first, second] = [earlier, later].map((id) => manifestOf(id));
  if (first === undefined || second === undefined) throw new Error('There are two.');
  const previous = [{ id: earlier, activatedAt: '2026-10-01T00:00:00Z' }];
  serving.hold({ manifest: first, activatedAt: '2026-10-01T00:00:00Z' });
  const activatedAt = '2026-10-02T00:00:00Z';
  serving.switchTo({ manifest: second, activatedAt }, { id: later, activatedAt, previous });
  expect(serviceStatus(serving, 0)).toMatchObject({
    status: 'ok',
    publication: { id: later, datasetVersion: later, activatedAt },
    counts: second.counts,
    previous,
    loading: null,
    lastFailure: null,
  });
});

test('everybody sees base names only in the last failure, the operator sees whole paths', () => {
  const serving = new ServedPublications();
  const manifest = manifestOf(earlier);
  const active = { manifest, activatedAt: '2026-10-01T00:00:00Z' };
  serving.switchTo(active, { id: earlier, activatedAt: active.activatedAt, previous: [] });
  serving.fail({ ...failure, message: 'The file /srv/secret plans/full.csv does not exist.' });
  const shown = publicStatus(active, serving, 0).lastFailure?.message;
  expect(shown).not.toContain('/srv');
  expect(shown).toContain('full.csv does not exist.');
  expect(serviceStatus(serving, 0).lastFailure?.message).toContain('/srv/secret plans/full.csv');
});

test.each([
  [
    "ENOENT: no such file or directory, open '/var/lib/lei/a.csv'",
    "ENOENT: no such file or directory, open 'a.csv'",
  ],
  ['The file ./private/data/a.csv.zip is empty.', 'The file a.csv.zip is empty.'],
  ['private/a.csv, ~/b.csv and ../c.csv', 'a.csv, b.csv and c.csv'],
  ['https://user:pass@mirror.internal:8443/x/y.zip?z=1 answered 404', 'y.zip?z=1 answered 404'],
  ['file:///srv/store/fleet.json (damaged)', 'fleet.json (damaged)'],
  ['It came at 4 KiB/s, with level 1 and/or level 2.', 'It came at 4 KiB/s, with level 1 and/or level 2.'],
])('%s → %s', (text, shown) => expect(withoutFolders(text)).toBe(shown));

test('a long token costs a look at each of its characters, not at each pair of them', () => {
  const token = 'x'.repeat(1_000_000);
  expect(withoutFolders(`${token} in /srv/data/a.csv`)).toBe(`${token} in a.csv`);
});
