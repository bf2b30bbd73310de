/**
 * Starts the HTTP part alone on a real socket; the parts around it answer from memory. Tests use it for states that
 * real parts rarely reach (a full queue, a refused admission, two publications at once) and to count questions.
 */
import { afterEach } from 'bun:test';
import type { Access, Admission, PageAdmission } from '../../src/accounts/access/admission.ts';
import { readConfig } from '../../src/config.ts';
import { type App, createApp } from '../../src/front/app.ts';
import type { HeldPublication, Publications } from '../../src/http/publication-texts.ts';
import { noNotices } from '../../src/lei/notices.ts';
import type { QuotaState } from '../../src/ports/ledger.ts';
import { nobody, type RequestSeen } from '../../src/ports/observer.ts';
import type { Secrets } from '../../src/ports/state.ts';
import type { Answer, Question } from '../../src/protocol/questions.ts';
import type { Manifest } from '../../src/publication/manifest.ts';
import { manifestOf } from '../support/manifest.ts';

export const firstId = '20240505T000000Z-3f9a1c2b';
export const secondId = '20240506T000000Z-77aa01bc';
export const company = { lei: '213800E5Z6QRDSMZMK84', path: '/api/v1/lei/213800E5Z6QRDSMZMK84' };

export function manifest(id: string): Manifest {
  return manifestOf(id, {
    sourcePublishedAt: '2024-05-05T00:00:00Z',
    files: [
      {
        name: 'lei-bic-20240426T000000.csv',
        kind: 'bic',
        sha256: '0'.repeat(64),
        bytes: 1,
        rows: 1,
        rejected: 0,
        remarks: 0,
        contentDate: '2024-04-26T00:00:00Z',
      },
    ],
  });
}

export function found(data: unknown, next: string | null = null): Answer {
  return { outcome: 'found', data: Buffer.from(JSON.stringify(data)), next, notices: noNotices };
}

const resetSecond = 1_790_000_000;
export const quotaState: QuotaState = {
  now: (resetSecond - 100) * 1_000,
  policy: { daily: 100, lookup: 300, search: 60 },
  window: 'lookup',
  dailyLeft: 99,
  burstLeft: 299,
  dailyReturnsAt: resetSecond * 1_000,
  burstReturnsAt: (resetSecond - 40) * 1_000,
};
const refunded: QuotaState = { ...quotaState, dailyLeft: 100 };

export function admitted(quota: QuotaState | null = quotaState): Admission {
  return {
    outcome: 'admitted',
    quota,
    policy: quotaState.policy,
    caller: 'anonymous-1',
    refund: () => (quota === null ? null : refunded),
  };
}

export const admittedPage: PageAdmission = {
  outcome: 'admitted',
  caller: 'page:1',
  quota: null,
  refund: () => null,
};

/** The replaceable parts. A test may change each one while the service runs. */
export interface Scene {
  answer: (question: Question, publicationId: string) => Answer | Promise<Answer>;
  /** Whether the questions of a batch can be answered in time. */
  hasTime: boolean;
  /** The parts that precede the answer, if its question takes parts. */
  parts: readonly string[];
  admit: Access['admit'];
  admitPage: Access['admitPage'];
  /** Whether an answer that is not a promise is passed on before `ask` returns, like a refusal. */
  atOnce: boolean;
  active: HeldPublication | null;
  kept: HeldPublication[];
  accepting: boolean;
  loading: ReturnType<Publications['loading']>;
  now: () => number;
}

export interface MemoryService {
  readonly baseUrl: string;
  readonly port: number;
  readonly scene: Scene;
  /** Every question that reached the pool. */
  readonly questions: Question[];
  /** Every request that was reported to the observer. */
  readonly requestsSeen: RequestSeen[];
  /** Messages logged as warnings. */
  readonly warnings: readonly string[];
  /** Messages logged as errors. */
  readonly errorLog: { readonly message: string; readonly fields: unknown }[];
  /** Clients whose answers were failures of the service, with their burst windows. */
  readonly failures: string[];
  /** When these were counted, epoch milliseconds. */
  readonly failedAt: number[];
  readonly renew: App['renew'];
  stop(): Promise<void>;
}

export const secrets: Secrets = {
  cursor: new Uint8Array(32).fill(1),
  etag: new Uint8Array(32).fill(2),
  client: new Uint8Array(32).fill(3),
};

const first: HeldPublication = { manifest: manifest(firstId), activatedAt: '2024-05-05T01:02:03Z' };

function undisturbed(): Scene {
  return {
    answer: () => found({ lei: company.lei }),
    parts: [],
    admit: () => admitted(),
    admitPage: () => admittedPage,
    atOnce: false,
    hasTime: true,
    active: first,
    kept: [],
    accepting: true,
    loading: null,
    now: Date.now,
  };
}

/** Overwrites an answer after it was taken, like a thread's ring. */
function lend(answer: Answer, take: (answer: Answer) => void): void {
  if (answer.outcome === 'found') {
    const data = new Uint8Array(answer.data);
    take({ ...answer, data });
    data.fill(overwritten);
  } else if (answer.outcome === 'compressed') {
    const bytes = new Uint8Array(answer.bytes);
    take({ outcome: 'compressed', bytes });
    bytes.fill(overwritten);
  } else {
    take(answer);
  }
}
function lendParts(parts: readonly string[], take: (data: Uint8Array) => void): void {
  for (const part of parts) {
    const data = new Uint8Array(Buffer.from(part));
    take(data);
    data.fill(overwritten);
  }
}
const overwritten = '!'.charCodeAt(0);

export function startInMemory(environment: Readonly<Record<string, string>> = {}): MemoryService {
  const scene = undisturbed();
  const questions: Question[] = [];
  // Each test's changes are undone, because tests may run in any order.
  afterEach(() => {
    Object.assign(scene, undisturbed());
    questions.length = 0;
  });
  const requestsSeen: RequestSeen[] = [];
  const warnings: string[] = [];
  const errorLog: MemoryService['errorLog'] = [];
  const failures: string[] = [];
  const failedAt: number[] = [];
  const { config } = readConfig({ LEI_PORT: '0', ...environment });
  const app = createApp({
    config,
    pool: {
      hasTimeFor: () => scene.hasTime,
      ask({ publicationId, question, take, takePart }) {
        questions.push(question);
        if (takePart !== undefined) queueMicrotask(() => lendParts(scene.parts, takePart));
        const answer = scene.answer(question, publicationId);
        if (answer instanceof Promise) void answer.then((later) => lend(later, take));
        else if (scene.atOnce) lend(answer, take);
        else queueMicrotask(() => lend(answer, take));
      },
    },
    publications: {
      get answering() {
        if (scene.active === null) return 'no-publication';
        return scene.accepting ? scene.active : 'shutting-down';
      },
      active: () => scene.active,
      held: (id) => [scene.active, ...scene.kept].find((held) => held?.manifest.id === id) ?? null,
      previous: () => [],
      loading: () => scene.loading,
      lastFailure: () => null,
    },
    access: {
      admit: (request) => scene.admit(request),
      admitPage: (request) => scene.admitPage(request),
      async serviceFailed(caller, window, now) {
        failures.push(`${caller} ${window}`);
        failedAt.push(now);
      },
    },
    secrets,
    log: {
      info: () => {},
      warn: (message) => void warnings.push(message),
      error: (message, fields) => void errorLog.push({ message, fields }),
    },
    observer: { ...nobody, watchesRequests: true, request: (seen) => void requestsSeen.push(seen) },
    accountPages: [],
    clock: () => scene.now(),
    uptimeMs: () => 0,
  });
  const port = app.listen({ port: 0, host: '127.0.0.1', shared: false });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    scene,
    questions,
    requestsSeen,
    warnings,
    errorLog,
    failures,
    failedAt,
    renew: app.renew,
    stop: () => app.stop(true),
  };
}
