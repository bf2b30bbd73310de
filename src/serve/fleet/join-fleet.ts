/** Makes a service a node of a fleet: it follows the announcement, and reports to the other nodes what it serves. */
import type { KeyObject } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Fleet, Following } from '../../ports/fleet.ts';
import type { Layout } from '../../publication/layout.ts';
import { shippingLimits } from '../../shipping/limits.ts';
import type { Follower } from './follow.ts';
import type { FollowerLog, FollowingService } from './replica.ts';

interface FleetParts {
  readonly config: Pick<Config, 'publicationSource'>;
  /** The key of {@link publicationKey}. */
  readonly key: KeyObject | null;
  readonly paths: Layout;
  /** `fleet` is null if the state is not shared: then nobody is told. */
  readonly state: { readonly fleet: Pick<Fleet, 'report'> | null };
  readonly publications: FollowingService;
  readonly log: FollowerLog;
}

/** @returns the following, null if nothing is followed, and a function that ends it */
export async function joinFleet({ config, key, paths, state, publications, log }: FleetParts) {
  const { publicationSource: address } = config;
  const parts = { key, layout: paths, service: publications, log };
  const follower = address === null ? null : await follow({ address, ...parts });
  const { fleet } = state;
  const endTelling = fleet === null ? () => {} : tell(fleet, publications, follower);
  return {
    following: follower,
    async leave() {
      endTelling();
      await follower?.stop();
    },
  };
}

/** The key that announcements must be signed with; null for none. @throws UnusableKey */
export async function publicationKey({
  publicationKey: path,
}: Pick<Config, 'publicationKey'>): Promise<KeyObject | null> {
  if (path === null) return null;
  const { readPublicKey } = await import('../../shipping/signature.ts');
  return readPublicKey(path);
}

/** Loads the follower's code only if something is followed. */
async function follow(...parts: ConstructorParameters<typeof Follower>) {
  const loaded = await import('./follow.ts');
  return new loaded.Follower(...parts);
}

/** @returns a function that ends the reports */
function tell(
  fleet: Pick<Fleet, 'report'>,
  publications: FollowingService,
  following: Following | null,
): () => void {
  let told = '';
  const tellWhatChanged = () => {
    const report = { active: publications.serving.active()?.manifest.id ?? null, ...following?.readiness() };
    const text = JSON.stringify(report);
    if (text === told) return;
    told = text;
    void fleet.report(report);
  };
  tellWhatChanged();
  const telling = setInterval(tellWhatChanged, shippingLimits.reportMs);
  return () => clearInterval(telling);
}
