/**
 * The whole front of the service (Elysia, every layer, every header, limits enforced) with answers from memory instead
 * of query threads: the difference to the service is the cost of dispatch. Arguments: the captured bodies, and a data
 * folder with the publication and the accounts of the service.
 */
import { openLocalState } from '../../../src/accounts/state/local-state.ts';
import { readConfig } from '../../../src/config.ts';
import type { QueryPool } from '../../../src/dispatch/query-threads.ts';
import { createApp } from '../../../src/front/app.ts';
import { noNotices } from '../../../src/lei/notices.ts';
import { createLog, logObserver } from '../../../src/log/log.ts';
import type { Question } from '../../../src/protocol/questions.ts';
import { layout } from '../../../src/publication/layout.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { readManifest } from '../../../src/publication/sealed.ts';
import { accessService } from '../../support/open-access.ts';
import { searchPath } from '../harness/questions.ts';
import { servingOne } from '../harness/serving-one.ts';
import { announce, readCaptured } from './capture.ts';

const [capturedPath = '', dataDir = ''] = process.argv.slice(2);
const { config } = readConfig({ ...process.env, LEI_DATA_DIR: dataDir, LEI_PORT: '3000' });
const paths = layout(dataDir);
const state = openLocalState(paths);
const log = createLog('warn', { fd: 2 });
const access = accessService({ config, state, log });
access.start();

const pointer = readPointer(paths);
if (pointer === null) throw new Error(`${dataDir} has no active publication`);
const reading = readManifest(paths, pointer.id);
if (reading.outcome !== 'sound') throw new Error(`${dataDir}: the active publication can't be read`);
const held = { manifest: reading.manifest, activatedAt: pointer.activatedAt };

/** The `data` of a captured envelope, as a query thread gives it. */
function dataOf(body: string): string {
  return body.slice('{"data":'.length, body.lastIndexOf(',"meta":'));
}
const data = new Map(
  [...readCaptured(capturedPath)].map(([path, body]) => [path, Buffer.from(dataOf(body))]),
);

function pathOf(question: Question): string {
  if (question.kind === 'company') return `/api/v1/lei/${question.lei}`;
  if (question.kind === 'relationships') return `/api/v1/lei/${question.lei}/relationships`;
  if (question.kind === 'search') return searchPath(question.q);
  return 'value' in question ? `/api/v1/${question.kind}/${question.value}` : '';
}

const pool: QueryPool = {
  hasTimeFor: () => true,
  ask({ question, take }) {
    const found = data.get(pathOf(question));
    // Asynchronously, as from a thread: a synchronous answer needs no promise.
    queueMicrotask(() =>
      take(
        found === undefined
          ? { outcome: 'not-found' }
          : { outcome: 'found', data: found, next: null, notices: noNotices },
      ),
    );
  },
};

const app = createApp({
  config,
  pool,
  access,
  log,
  observer: logObserver(log, config.logRequests),
  secrets: state.secrets,
  accountPages: [],
  clock: Date.now,
  uptimeMs: () => performance.now(),
  publications: servingOne(held),
});
announce(app.listen({ port: 0, host: '127.0.0.1', shared: false }));
