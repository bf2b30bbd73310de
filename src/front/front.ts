/**
 * Builds one front: an HTTP server with access control. Everything that the fronts of a service share comes in through
 * {@link FrontParts}, so a front can run in the main thread or in its own.
 */
import { createAccess } from '../accounts/access/access.ts';
import type { AccountNews } from '../accounts/access/account-feed.ts';
import { createKeyRing, type NoteUse } from '../accounts/access/key-ring.ts';
import { createTariffs, liveSettings } from '../accounts/access/tariffs.ts';
import type { AccountDesk } from '../accounts/desk/account-desk.ts';
import type { Config } from '../config.ts';
import type { QueryPool } from '../dispatch/query-threads.ts';
import type { Publications } from '../http/publication-texts.ts';
import type { Log } from '../log/log.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Observer, Tracer } from '../ports/observer.ts';
import type { Secrets } from '../ports/state.ts';
import { accountPages } from '../site/account/account.ts';
import { signupPage } from '../site/signup/signup.ts';
import { type App, createApp } from './app.ts';

/** The parts that a front is built from. */
export interface FrontParts {
  readonly config: Config;
  readonly secrets: Secrets;
  /** One for all fronts, or this front's end of it. */
  readonly ledger: Ledger;
  /** The connection to the query threads. */
  readonly pool: QueryPool;
  /** The publications that the main thread serves. */
  readonly publications: Publications;
  /** Creates, reads and changes accounts for their holders; in the main thread, which alone writes the state. */
  readonly accountDesk: AccountDesk;
  readonly noteUse: NoteUse;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Receives every request. Each front has its own. */
  readonly observer: Observer;
  /** Null if no traces are sent. */
  readonly tracer: Tracer | null;
  /** Milliseconds since the service started, by a clock that is never set. */
  readonly uptimeMs: () => number;
}

interface Front {
  /** Applies changed accounts, keys and limits. No key is known before the first call. */
  adopt(news: AccountNews): void;
  readonly listen: App['listen'];
  readonly renew: App['renew'];
  readonly forgetEarlier: App['forgetEarlier'];
  readonly drain: App['drain'];
  readonly stop: App['stop'];
}

export function createFront(parts: FrontParts): Front {
  const { secrets, ledger, log, accountDesk: desk } = parts;
  const settings = liveSettings(parts.config);
  const { config } = settings;
  const tariffs = createTariffs(config);
  const ring = createKeyRing(tariffs, parts.noteUse);
  const access = createAccess({ config, tariffs, ring, ledger, secrets, log });
  const pages = [
    ...accountPages({ config, tariffs, desk, access }),
    ...(config.signup ? [signupPage({ config, desk, access })] : []),
  ];
  const app = createApp({ ...parts, config, access, accountPages: pages, clock: Date.now });
  const adopt = (news: AccountNews) => {
    if (settings.adopt(news.serviceLimits)) {
      tariffs.renew();
      ring.renewPolicies();
      app.renewTexts();
    }
    ring.adopt(news);
  };
  return { ...app, adopt };
}
