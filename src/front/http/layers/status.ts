/** The status endpoint: looks at neither query nor Authorization, is never counted, answers 200 or 503. */
import packageJson from '../../../../package.json' with { type: 'json' };
import type { StatusAnswer } from '../../../lei/answers.ts';
import type { HeldPublication, Publications } from '../../contracts.ts';
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
    const meta = exchange.publication.meta({ bic: false, mic: false, gem: false });
    const body = envelope(data, meta, statusEndpoint.template, null);
    // The body changes with the uptime and with a load's progress, which no date of a publication tells.
    return represent(exchange, { body, tagged: body, dated: false }, parts);
  };
}

function statusOf(active: HeldPublication, publications: Publications, uptimeMs: number): StatusAnswer {
  const { manifest, activatedAt } = active;
  const loading = publications.loading();
  return {
    status: loading === null ? 'ok' : 'loading',
    publication: {
      id: manifest.id,
      datasetVersion: manifest.id,
      sourcePublishedAt: manifest.sourcePublishedAt,
      activatedAt,
      sample: manifest.sample,
      files: manifest.files.map(({ name, kind, sha256, rows, rejected }) => ({
        name,
        kind,
        sha256,
        rows,
        rejected,
      })),
    },
    counts: manifest.counts,
    previous: publications.previous().map(({ id, activatedAt: at }) => ({ id, activatedAt: at })),
    loading,
    lastFailure: publications.lastFailure(),
    uptimeSeconds: Math.floor(uptimeMs / 1000),
    version: packageJson.version,
  };
}
