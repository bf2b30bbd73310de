/** The status endpoint: looks at neither query nor Authorization, is never counted, answers 200 or 503. */
import { noNotices } from '../../../lei/notices.ts';
import { statusOf } from '../../status-of.ts';
import { statusEndpoint } from '../endpoints.ts';
import { envelope } from '../envelope.ts';
import { represent } from './answer.ts';
import type { Layer, LayerParts, Refuse } from './layer.ts';
import { refuseUnavailable } from './look-up.ts';

/** @param uptimeMs since the service started */
export function status(parts: LayerParts, uptimeMs: () => number, refuse: Refuse): Layer {
  const { publications, textsOf } = parts;
  return (exchange) => {
    const active = publications.active();
    if (active === null) return refuseUnavailable(exchange, 'no-publication', refuse);
    if (!publications.accepting()) return refuseUnavailable(exchange, 'shutting-down', refuse);
    exchange.publication = textsOf(active);
    const data = JSON.stringify(statusOf(active, publications, uptimeMs()));
    const meta = exchange.publication.meta(noNotices);
    const body = envelope(Buffer.from(data), meta, statusEndpoint.template, null);
    // The data changes with the uptime and with a load's progress, which no date of a publication tells.
    represent(exchange, { body, tagged: data, dated: false, link: null }, parts);
  };
}
