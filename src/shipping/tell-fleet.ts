/** Tells the nodes of a fleet what this one serves, and what it is ready for. */
import type { Fleet } from '../ports/fleet.ts';
import type { Following } from '../ports/following.ts';
import { shippingLimits } from './limits.ts';

/**
 * @param active id of the publication that is served
 * @param following null where this node follows no announcement
 * @returns ends the telling
 */
export function tellFleet(
  fleet: Pick<Fleet, 'report'>,
  active: () => string | null,
  following: Pick<Following, 'readiness'> | null,
): () => void {
  let told = '';
  const tell = () => {
    const report = { active: active(), ...following?.readiness() };
    const text = JSON.stringify(report);
    if (text === told) return;
    told = text;
    void fleet.report(report);
  };
  tell();
  const telling = setInterval(tell, shippingLimits.reportMs);
  return () => clearInterval(telling);
}
