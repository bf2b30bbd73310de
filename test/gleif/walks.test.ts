/** Walks by cursor through lists of GLEIF's API while publications are replaced. */
import { afterEach, beforeAll, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiHere, runLei } from '../support/lei-here.ts';
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

/** Publications of days that follow each other, each with other companies than the one before. */
const loaded = temporaryFolder('loaded');
let ids: readonly string[];
beforeAll(async () => {
  const loads: string[] = [];
  for (const [day, moment] of ([0, 1, 0, 1] as const).entries()) {
    const settings = { LEI_DATA_DIR: loaded, LEI_KEEP_PUBLICATIONS: '4' };
    const at = ['--published-at', `2026-10-0${day + 1}T00:00:00Z`];
    const { code, stdout } = await leiHere(settings, ['load', ...at, ...momentFiles(moment), '--json']);
    expect(code).toBe(0);
    loads.push(JSON.parse(stdout).publication.id);
  }
  ids = loads;
});

/** Makes the publication of a day the active one, as its load does. */
async function publish(dataDir: string, day: number): Promise<void> {
  const id = ids[day] ?? '';
  cpSync(layout(loaded).publication(id), layout(dataDir).publication(id), { recursive: true });
  expect((await runLei(dataDir, 'activate', id)).code).toBe(0);
}

const walk = '/gleif/api/v1/lei-records?sort=entity.legalName&page[cursor]=*&page[size]=7';

test.each([
  { kept: 2, swaps: 1 },
  { kept: 3, swaps: 2 },
])(
  'a walk has each record of its publication once while $swaps are activated, with $kept kept; later it is refused',
  async ({ kept, swaps }) => {
    const dataDir = temporaryFolder('walks');
    await publish(dataDir, 0);
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
      if (page <= swaps) await publish(dataDir, page);
      const shown: ListPage = await pageAt(running, next);
      expect([shown.status, shown.total, shown.publishDate]).toEqual([200, first.total, first.publishDate]);
      leis.push(...shown.leis);
      next = shown.next;
    }
    expect(leis).toEqual([...whole.leis]);
    const now = await pageAt(running, walk);
    expect(now.publishDate).not.toBe(first.publishDate);
    await publish(dataDir, swaps + 1);
    const late = await pageAt(running, first.next ?? '');
    expect([late.status, late.errors.map(({ status }) => status)]).toEqual([400, ['400']]);
    expect(late.errors[0]?.detail).toContain('page[cursor]=*');
  },
);
