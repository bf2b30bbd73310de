/** Walks by cursor through lists of GLEIF's API while publications are replaced. */
import { afterEach, expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { momentFiles } from '../support/moments.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService | null = null;
afterEach(async () => {
  await service?.stop();
  service = null;
});

interface ListPage {
  readonly status: number;
  readonly leis: readonly string[];
  readonly total: number;
  readonly publishDate: string;
  readonly next: string | null;
  readonly errors: readonly { readonly status: string; readonly detail: string }[];
}

async function pageAt(from: TestService, path: string): Promise<ListPage> {
  const response = await from.fetch(path);
  const body = JSON.parse(await response.text());
  return {
    status: response.status,
    leis: (body.data ?? []).map(({ id }: { readonly id: string }) => id),
    total: body.meta?.pagination?.total ?? -1,
    publishDate: body.meta?.goldenCopy?.publishDate ?? '',
    next: body.links?.next?.replace(from.baseUrl, '') ?? null,
    errors: body.errors ?? [],
  };
}

async function load(dataDir: string, moment: 0 | 1, publishedAt: string): Promise<void> {
  const { code, stderr } = await leiJson(
    dataDir,
    'load',
    '--published-at',
    publishedAt,
    ...momentFiles(moment),
  );
  expect([code, stderr]).toEqual([0, expect.any(String)]);
}

const walk = '/gleif/api/v1/lei-records?sort=entity.legalName&page[cursor]=*&page[size]=7';

test.each([
  { kept: 2, swaps: 1 },
  { kept: 3, swaps: 2 },
])(
  'a walk has each record of its publication once while $swaps are activated, with $kept kept; later it is refused',
  async ({ kept, swaps }) => {
    const dataDir = temporaryFolder('walks');
    await load(dataDir, 0, '2026-10-01T00:00:00Z');
    const running = await startTestService({
      dataDir,
      environment: { LEI_KEEP_PUBLICATIONS: String(kept) },
    });
    service = running;
    const whole = await pageAt(running, '/gleif/api/v1/lei-records?sort=entity.legalName&page[size]=200');
    const first = await pageAt(running, walk);
    const leis = [...first.leis];
    let next = first.next;
    for (let page = 1; next !== null; page++) {
      // Every other moment has other companies.
      if (page <= swaps) await load(dataDir, page % 2 === 1 ? 1 : 0, `2026-10-0${page + 1}T00:00:00Z`);
      const shown: ListPage = await pageAt(running, next);
      expect([shown.status, shown.total, shown.publishDate]).toEqual([200, first.total, first.publishDate]);
      leis.push(...shown.leis);
      next = shown.next;
    }
    expect(leis).toEqual([...whole.leis]);
    const now = await pageAt(running, walk);
    expect(now.publishDate).not.toBe(first.publishDate);
    await load(dataDir, 1, '2026-10-08T00:00:00Z');
    const late = await pageAt(running, first.next ?? '');
    expect([late.status, late.errors.map(({ status }) => status)]).toEqual([400, ['400']]);
    expect(late.errors[0]?.detail).toContain('page[cursor]=*');
  },
);
