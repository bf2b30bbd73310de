/** Opens access over a state on disk in its own folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccess, type FrontAccess } from '../../src/accounts/access/access.ts';
import { accountFeed } from '../../src/accounts/access/account-feed.ts';
import type { AccessRequest, Admission } from '../../src/accounts/access/admission.ts';
import { createKeyRing, keyUses } from '../../src/accounts/access/key-ring.ts';
import { createTariffs } from '../../src/accounts/access/tariffs.ts';
import type { CountRows } from '../../src/accounts/state/ledger/count-rows.ts';
import { LocalLedger } from '../../src/accounts/state/ledger/local-ledger.ts';
import { type LocalState, openLocalState } from '../../src/accounts/state/local-state.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Log } from '../../src/log/log.ts';
import { type AccountLimits, noOwnLimits } from '../../src/ports/account-directory.ts';
import type { State } from '../../src/ports/state.ts';
import { layout } from '../../src/publication/layout.ts';
import { createHousekeeping, type Housekeeping } from '../../src/serve/housekeeping.ts';

export interface Logged {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** Access of a front and the housekeeping of the main thread, joined in one thread. */
export interface AccessService extends FrontAccess, Housekeeping {
  /** Applies changes of accounts. */
  refresh(): void;
}

interface AccessServiceParts {
  readonly config: Config;
  readonly state: Pick<State, 'accounts' | 'ledger' | 'secrets' | 'usage' | 'sessions'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

export function accessService({ config, state, log }: AccessServiceParts): AccessService {
  const { accounts, ledger, secrets } = state;
  const tariffs = createTariffs(config);
  const uses = keyUses();
  const ring = createKeyRing(tariffs, uses.note);
  const feed = accountFeed(accounts, ring.adopt);
  feed.refresh();
  const signupsInAll = config.signupsInAll;
  return {
    ...createAccess({ config, tariffs, ring, ledger, secrets, log }),
    ...createHousekeeping({ ...state, feed, uses, signupsInAll, log }),
    refresh: feed.refresh,
  };
}

/** 21 November 2026, 12:00 UTC. */
export const noon = Date.UTC(2026, 10, 21, 12);

export class Opened {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly logged: Logged[] = [];
  state: LocalState;
  access: AccessService;

  private constructor(folder: string, settings: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.settings = settings;
    this.state = openLocalState(layout(folder));
    this.access = this.accessOver(this.state);
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<Opened> {
    return new Opened(await mkdtemp(join(tmpdir(), 'lei-access-')), settings);
  }

  /** Access over this state, or over one with other functions. */
  accessOver(state: LocalState, settings = this.settings): AccessService {
    const { config, faults } = readConfig(settings);
    if (faults.length > 0) throw new Error(faults.join(' '));
    const say = (level: Logged['level']) => (message: string) => void this.logged.push({ level, message });
    return accessService({
      config,
      state,
      log: { info: say('info'), warn: say('warn'), error: say('error') },
    });
  }

  /** Restarts as after a crash. */
  async reopen(): Promise<void> {
    await this.state.close();
    this.state = openLocalState(layout(this.folder));
    this.access = this.accessOver(this.state);
  }

  /** Restarts the ledger over the rows on disk, without a journal; given functions replace those of the rows. */
  restartOver(rows: Partial<CountRows> = {}): void {
    const ledger = new LocalLedger({ ...this.state.counts, ...rows }, null);
    this.state = { ...this.state, ledger };
    this.access = this.accessOver(this.state);
  }

  async close(): Promise<void> {
    await this.state.close();
    await rm(this.folder, { recursive: true });
  }

  async account(email = 'ada@example.com', limits: AccountLimits = noOwnLimits) {
    const applicant = { email, company: 'Analytical Engines', use: 'Tests' };
    const made = await this.state.accounts.create(applicant, limits, new Date(noon));
    if (made.outcome !== 'created') throw new Error(`No account was made: ${made.outcome}`);
    this.access.refresh();
    return { id: made.account.id, keyId: made.key.id, header: `Bearer ${made.secret}` };
  }

  ask(request: Partial<AccessRequest> = {}) {
    const admission = this.access.admit(askOf(request));
    if (admission instanceof Promise) throw new Error('The local ledger answered later.');
    return admission;
  }

  /** Sends so many requests and counts the outcomes. */
  askTimes(times: number, request: Partial<AccessRequest> = {}) {
    const outcomes = { admitted: 0, unauthorized: 0, exhausted: 0 };
    for (let i = 0; i < times; i++) outcomes[this.ask(request).outcome]++;
    return outcomes;
  }
}

/** How many counts are on disk. */
export function rowsOf({ counts }: Pick<LocalState, 'counts'>): number {
  return [...counts.all()].length;
}

/** What is left of the day and of the minute, and the seconds until the minute is restored. */
export function leftOf({ quota }: Admission) {
  if (quota === null) throw new Error('Nothing was counted.');
  const { dailyLeft: daily, burstLeft: burst, burstReturnsAt, now } = quota;
  return { daily, burst, returnsIn: Math.ceil((burstReturnsAt - now) / 1_000) };
}

export function askOf(request: Partial<AccessRequest>): AccessRequest {
  return {
    authorization: null,
    peer: '198.51.100.7',
    forwardedFor: null,
    window: 'lookup',
    units: 1,
    now: noon,
    ...request,
  };
}
