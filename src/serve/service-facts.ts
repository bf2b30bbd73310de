/** Collects the facts of a running service for its operator: what it serves, what runs, what was saved. */
import type { Publications } from '../http/publication-texts.ts';
import type { Following } from '../ports/fleet.ts';
import type { State } from '../ports/state.ts';
import { freeBytes } from '../publication/files.ts';
import { lastUpdate } from '../publication/last-update.ts';
import type { Layout } from '../publication/layout.ts';
import { bytesOf } from '../publication/manifest-facts.ts';
import type { Housekeeping } from './housekeeping.ts';
import type { ServicePublications } from './swap/publications.ts';
import type { Scrubbing } from './swap/scrub.ts';
import type { Fronts } from './threads/fronts.ts';
import type { QueryThreads } from './threads/query-pool.ts';
import type { CertificateFollower } from './tls/follow-certificate.ts';

interface OperatedParts {
  readonly fronts: Fronts;
  readonly pool: QueryThreads;
  readonly publications: Pick<ServicePublications, 'serving' | 'damagedCount'>;
  readonly scrubbing: Scrubbing;
  readonly state: Pick<State, 'ledger' | 'store'>;
  readonly housekeeping: Pick<Housekeeping, 'savedAt'>;
  readonly paths: Layout;
  readonly follower: CertificateFollower | null;
  readonly member: { readonly following: Pick<Following, 'unready' | 'facts'> | null };
}

/** The facts about the running service that the admin server shows. */
export function operated(parts: OperatedParts) {
  const { state, fronts, pool, publications, housekeeping, paths, follower, member, scrubbing } = parts;
  const { ledger, store } = state;
  return {
    facts: () => ({
      publication: publicationFacts(publications.serving),
      diskFreeBytes: freeBytes(paths.dataDir),
      damagedPublications: publications.damagedCount(),
      checkedAt: scrubbing.checkedAt(),
      threads: { front: fronts.count(), query: pool.available() },
      updatedAt: lastUpdate(paths),
      ledgerCallers: ledger.size(),
      ledgerSavedAt: housekeeping.savedAt(),
      certificateEndsAt: follower?.current().endsAt ?? null,
      store: store?.facts() ?? null,
    }),
    available: () => pool.available(),
    queued: () => unanswered(pool),
    following: member.following,
  };
}

function publicationFacts(publications: Pick<Publications, 'active'>) {
  const active = publications.active();
  if (active === null) return null;
  const { id, sourcePublishedAt, counts } = active.manifest;
  return {
    id,
    sourcePublishedAt: Date.parse(sourcePublishedAt),
    activatedAt: Date.parse(active.activatedAt),
    companies: counts.entities,
    bytes: bytesOf(active.manifest),
  };
}

function unanswered(pool: QueryThreads): number {
  const queued = pool.queued().reduce((sum, { quick, slow }) => sum + quick + slow, 0);
  return queued + pool.waitingForTurn();
}
