/** Builds the manifest, which clients read before anything else. */
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { legalEntity } from '../lei/company-properties.ts';
import { unitsEver } from '../ports/ledger.ts';
import { suggested } from './addresses.ts';
import { type Client, reconcileLimits } from './task.ts';

/** Identifiers are those of GLEIF's own record pages, so that columns fit other services over LEIs. */
const identifierSpace = 'https://search.gleif.org/#/record/';
/** The namespace whose type has the property leiCode. */
const schemaSpace = 'https://schema.org/Organization';

/**
 * No security scheme: if there were one, the specification would ask for credentials with every query, and none are
 * needed here.
 */
export function manifest(config: Config, client: Client): unknown {
  const { baseUrl, address } = client;
  const { previewWidth, previewHeight } = reconcileLimits;
  const suggest = suggested.map((of) => [
    of,
    {
      service_url: address,
      service_path: `/suggest/${of}`,
      flyout_service_url: address,
      flyout_service_path: `/flyout/${of}?id=\${id}`,
    },
  ]);
  return {
    versions: ['0.2'],
    name: 'Legal Entity Identifiers (LEI)',
    identifierSpace,
    schemaSpace,
    documentation: `${baseUrl}/docs`,
    serviceVersion: packageJson.version,
    defaultTypes: [legalEntity],
    view: { url: `${baseUrl}/company/{{id}}` },
    preview: { url: `${address}/preview?id={{id}}`, width: previewWidth, height: previewHeight },
    suggest: Object.fromEntries(suggest),
    extend: {
      propose_properties: { service_url: address, service_path: '/properties' },
      property_settings: [],
    },
    batchSize: batchSize(client),
    limits: limits(config, client),
  };
}

/**
 * The specification has no member for other limits; clients ignore members that they do not know. The last three are
 * null if requests are not limited.
 */
function limits({ anonymousDaily, accountDaily }: Config, { policy, isAccount }: Client) {
  const { queriesMax, idsMax, propertiesMax, candidatesMax, bodyBytesMax } = reconcileLimits;
  return {
    queriesPerBatch: queriesMax,
    idsPerExtension: idsMax,
    properties: propertiesMax,
    candidatesPerQuery: candidatesMax,
    bodyBytes: bodyBytesMax,
    searchesPerMinute: policy?.search ?? null,
    lookUpsPerMinute: policy?.lookup ?? null,
    unitsPerDay: policy && { withoutKey: anonymousDaily, account: isAccount ? policy.daily : accountDaily },
  };
}

/** The most queries that the caller's limits allow in one batch. */
function batchSize({ policy }: Client): number {
  const { queriesMax } = reconcileLimits;
  return policy === null ? queriesMax : Math.max(1, Math.min(queriesMax, unitsEver(policy, 'search')));
}
