/** Tests a rollback during a load that is based on the publication rolled back. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type ControlServer, serveControl } from '../../src/protocol/control-server.ts';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { company, type Operator, operator, publish } from '../loader/publishing.ts';
import { leiJson } from '../support/lei-here.ts';

const days = ['2024-05-04T00:00:00Z', '2024-05-05T00:00:00Z', '2024-05-06T00:00:00Z'] as const;
const companies = [company(1), company(2)];
/** So many companies that they are still being read when the service receives the report, on a busy machine too. */
const many = Array.from({ length: 2_000 }, (_, index) => company(index + 1));
let someone: Operator;
let before = '';
let withdrawn = '';
let service: ControlServer | null = null;

beforeEach(async () => {
  someone = operator();
  before = (await someone.load({ at: days[0], companies })).manifest.id;
  withdrawn = (await someone.load({ at: days[1], companies })).manifest.id;
  const paths = layout(someone.dataDir);
  // Acts as the service: it receives the load's progress, and is told what to activate.
  service = serveControl(paths.controlSocket, async (request) => {
    const activeId = readPointer(paths)?.id;
    const isReading = request.op === 'loading' && request.loading?.phase.startsWith('reading') === true;
    const next = request.op === 'activate' ? request.id : isReading && activeId === withdrawn ? before : null;
    if (next !== null) movePointer(paths, next, new Date(), readPointer(paths));
    return { ok: true, value: null };
  });
});
afterEach(() => {
  service?.stop();
  service = null;
});

const files = (set: Parameters<typeof publish>[1]) => publish(someone.dataDir, set);

describe('a publication that is rolled back while a load runs', () => {
  test.each([
    ['a delta', () => ['load', '--delta', ...files({ at: days[2], since: days[1], companies: many })]],
    ['a history', () => ['history', ...files({ at: days[0], companies: many })]],
  ])(
    'does not return through %s that was based on it; the result is sealed and can be activated',
    async (_what, command) => {
      const { code, json } = await leiJson(someone.dataDir, ...command());
      const paths = layout(someone.dataDir);
      const made = sealedIds(paths).find((id) => id !== before && id !== withdrawn) ?? '';
      const message = `${made} was built on ${withdrawn}, but ${before} became active in the meantime and stays active. Load again to build on ${before}, or run lei activate ${made} to activate this one anyway.`;
      expect({ code, json }).toEqual({ code: 1, json: { error: { code: 'active-changed', message } } });
      expect(readPointer(paths)?.id).toBe(before);
      expect((await leiJson(someone.dataDir, 'activate', made)).code).toBe(0);
    },
  );

  test('does not stop a full set, which contains nothing of it', async () => {
    const { code, json } = await leiJson(someone.dataDir, 'load', ...files({ at: days[2], companies: many }));
    expect({ code, json }).toMatchObject({ code: 0, json: { publication: { basedOn: withdrawn } } });
    const { id, previous } = readPointer(layout(someone.dataDir)) ?? {};
    expect(id).not.toBe(before);
    expect(previous?.map((earlier) => earlier.id)).toEqual([before, withdrawn, before]);
  });
});
