/** Opens access over a state on disk in its own folder, for the tests of access. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { type AccessService, createAccess } from '../../src/front/access/access.ts';
import type { AccessRequest } from '../../src/front/contracts.ts';
import { layout } from '../../src/publication/layout.ts';
import { type AccountLimits, noOwnLimits } from '../../src/state/account.ts';
import { openStateStore, type StateStore } from '../../src/state/state-store.ts';

export interface Logged {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** 21 November 2026, 12:00 UTC. */
export const noon = Date.UTC(2026, 10, 21, 12);

export class Opened {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly logged: Logged[] = [];
  store: StateStore;
  access: AccessService;

  private constructor(folder: string, settings: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.settings = settings;
    this.store = openStateStore(layout(folder));
    this.access = this.accessOver(this.store);
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Opened> {
    return new Opened(await mkdtemp(join(tmpdir(), 'lei-access-')), settings);
  }

  /** Access over the given store. */
  accessOver(store: StateStore, settings = this.settings): AccessService {
    const { config, faults } = readConfig(settings);
    if (faults.length > 0) throw new Error(faults.join(' '));
    const say = (level: Logged['level']) => (message: string) => void this.logged.push({ level, message });
    return createAccess({
      config,
      store,
      log: { info: say('info'), warn: say('warn'), error: say('error') },
    });
  }

  /** Opens the state again, as after a crash: unsaved counts are lost. */
  async reopen(): Promise<void> {
    await this.store.close();
    this.store = openStateStore(layout(this.folder));
    this.access = this.accessOver(this.store);
  }

  async close(): Promise<void> {
    await this.store.close();
    await rm(this.folder, { recursive: true });
  }

  async account(email = 'ada@example.com', limits: AccountLimits = noOwnLimits) {
    const applicant = { email, company: 'Analytical Engines', use: 'Tests' };
    const made = await this.store.accounts.create(applicant, limits, new Date(noon));
    if (made.outcome !== 'created') throw new Error(`No account was made: ${made.outcome}`);
    this.access.refresh();
    return { id: made.account.id, keyId: made.key.id, header: `Bearer ${made.secret}` };
  }

  ask(request: Partial<AccessRequest> = {}) {
    return this.access.admit(askOf(request));
  }

  /** Asks several times and counts the outcomes. */
  askTimes(times: number, request: Partial<AccessRequest> = {}) {
    const outcomes = { admitted: 0, unauthorized: 0, exhausted: 0 };
    for (let i = 0; i < times; i++) outcomes[this.ask(request).outcome]++;
    return outcomes;
  }
}

export function askOf(request: Partial<AccessRequest>): AccessRequest {
  return {
    authorization: null,
    peer: '198.51.100.7',
    forwardedFor: null,
    window: 'lookup',
    now: noon,
    ...request,
  };
}
