/** Makes a service a node of a fleet: it follows what is announced, and tells the other nodes what it serves. */
import type { Config } from '../config.ts';
import type { Fleet } from '../ports/fleet.ts';
import type { Following } from '../ports/following.ts';
import type { Layout } from '../publication/layout.ts';
import type { followStore } from './follow.ts';
import { shippingLimits } from './limits.ts';
import type { FollowerLog, FollowingService } from './replica.ts';

interface Joining {
  readonly config: Pick<Config, 'publicationSource'>;
  readonly paths: Layout;
  /** `fleet` is null if the state is not shared: then nobody is told. */
  readonly state: { readonly fleet: Pick<Fleet, 'report'> | null };
  readonly publications: FollowingService;
  readonly log: FollowerLog;
}

interface Membership {
  /** Null if nothing is followed. */
  readonly following: Following | null;
  leave(): Promise<void>;
}

export async function joinFleet({ config, paths, state, publications, log }: Joining): Promise<Membership> {
  const { publicationSource: source } = config;
  const follower = source === null ? null : await follow(source, paths, publications, log);
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

/** Loads the follower's code only if something is followed. */
async function follow(...what: Parameters<typeof followStore>) {
  return (await import('./follow.ts')).followStore(...what);
}

/** @returns a function that ends the reports */
function tell(
  fleet: Pick<Fleet, 'report'>,
  publications: FollowingService,
  following: Following | null,
): () => void {
  let told = '';
  const tellWhatChanged = () => {
    const report = { active: publications.active()?.manifest.id ?? null, ...following?.readiness() };
    const text = JSON.stringify(report);
    if (text === told) return;
    told = text;
    void fleet.report(report);
  };
  tellWhatChanged();
  const telling = setInterval(tellWhatChanged, shippingLimits.reportMs);
  return () => clearInterval(telling);
}
