/** The status endpoint: ignores query and Authorization, is never counted, answers 200 or 503. */
import { noNotices } from '../../../lei/notices.ts';
import { publicStatus } from '../../status-of.ts';
import type { Exchange } from '../exchange.ts';
import type { Inner, LayerParts } from './layer.ts';
import { openFor, unavailable } from './look-up.ts';
import { represent } from './represent.ts';

/** @param uptimeMs since the service started */
export function status(parts: LayerParts, uptimeMs: () => number): Inner<Exchange> {
  const { publications, textsOf, envelope, refuse } = parts;
  // Its 503s are not logged: balancers ask for the status every few seconds.
  return (exchange: Exchange) => {
    const active = openFor(publications);
    if (typeof active === 'string') return refuse(exchange, unavailable(active));
    exchange.choose(textsOf(active));
    const data = JSON.stringify(publicStatus(active, publications, uptimeMs()));
    const meta = exchange.publication.meta(noNotices);
    const body = envelope.around(Buffer.from(data), meta, exchange.endpoint.template, null);
    // The data changes with the uptime and a load's progress, so the publication's date says nothing about it.
    represent(exchange, { body, tagged: data, dated: false, link: null }, parts);
  };
}
