/** Serves the account page and the sign-up on a real socket, over a state on disk. The caller controls the time. */
import { createTariffs } from '../../src/accounts/access/tariffs.ts';
import { createAccountDesk } from '../../src/accounts/desk/account-desk.ts';
import { readConfig } from '../../src/config.ts';
import { createApp } from '../../src/front/app.ts';
import { dayMs } from '../../src/ports/ledger.ts';
import { nobody, type RequestSeen } from '../../src/ports/observer.ts';
import { usageDays } from '../../src/ports/state.ts';
import { accountPages } from '../../src/site/account/account.ts';
import { signupPage } from '../../src/site/signup/signup.ts';
import { noon, Opened } from '../support/open-access.ts';

type Settings = Readonly<Record<string, string>>;

export class Served {
  readonly opened: Opened;
  readonly url: string;
  /** Of the forms that a browser sends. */
  readonly origin: string;
  /** Every request that was answered, also for a client that did not wait. */
  readonly requestsSeen: RequestSeen[] = [];
  /** Epoch milliseconds. */
  now = noon;
  readonly #stop: () => Promise<void>;

  private constructor(opened: Opened, settings: Settings) {
    this.opened = opened;
    const { config } = readConfig({ LEI_PORT: '0', ...settings });
    const { accounts, sessions, usage, secrets } = opened.state;
    const say = (level: 'info' | 'warn' | 'error') => (message: string, fields?: unknown) =>
      void opened.logged.push({ level, message: `${message} ${JSON.stringify(fields)}` });
    const log = { info: say('info'), warn: say('warn'), error: say('error') };
    const tellFronts = () => this.opened.access.refresh();
    const access = opened.accessOver(opened.state, settings);
    opened.access = access;
    const desk = createAccountDesk({ accounts, sessions, usage, tellFronts, log });
    const app = createApp({
      config,
      pool: {
        ask: ({ take }) => take({ outcome: 'unavailable', reason: 'no-publication' }),
        hasTimeFor: () => true,
      },
      publications: {
        answering: 'no-publication',
        active: () => null,
        held: () => null,
        previous: () => [],
        loading: () => null,
        lastFailure: () => null,
      },
      access,
      secrets,
      log,
      observer: { ...nobody, watchesRequests: true, request: (seen) => void this.requestsSeen.push(seen) },
      accountPages: [
        ...accountPages({ config, tariffs: createTariffs(config), desk, access }),
        ...(config.signup ? [signupPage({ config, desk, access })] : []),
      ],
      clock: () => this.now,
      uptimeMs: () => 0,
    });
    this.url = `http://127.0.0.1:${app.listen({ port: 0, host: '127.0.0.1', shared: false })}`;
    this.origin = new URL(config.publicUrl ?? this.url).origin;
    this.#stop = () => app.stop(true);
  }

  static async start(settings: Settings = {}): Promise<Served> {
    return new Served(await Opened.open(settings), settings);
  }

  /** Another service over the same state, as after a restart. */
  static async over(opened: Opened, settings: Settings = {}): Promise<Served> {
    return new Served(opened, settings);
  }

  async stop(): Promise<void> {
    await this.close();
    await this.opened.close();
  }

  /** Stops the service and leaves the state open. */
  close(): Promise<void> {
    return this.#stop();
  }

  /** An account with its first key. */
  async account(email = 'ada@example.com') {
    const made = await this.opened.account(email);
    return { ...made, secret: made.header.slice('Bearer '.length) };
  }

  /** Makes an account use look-ups and searches on each of the last days, more and less in turn. */
  async use(accountId: string): Promise<void> {
    const { ledger } = this.opened.state;
    const policy = { daily: 1_000, lookup: 1_000, search: 1_000 };
    for (let before = usageDays - 1; before >= 0; before--) {
      const now = this.now - before * dayMs;
      const demand = { caller: accountId, policy, countsForDay: true, refusable: true, now };
      const wave = 1 + Math.sin(before / 2.5);
      ledger.take({ ...demand, window: 'lookup', units: Math.round(20 + 190 * wave) });
      ledger.take({ ...demand, window: 'search', units: Math.round(5 + 60 * wave) });
      await ledger.save(now);
    }
  }
}
