/** Lists every endpoint, in the order of the descriptions. */

import { changes, company, relationships, search } from './company.ts';
import type { DataEndpoint, Endpoint } from './endpoint.ts';
import { asOf } from './ext/as-of.ts';
import { changesSince } from './ext/changes.ts';
import { companies, identifiers } from './ext/identifiers.ts';
import { list } from './ext/list.ts';
import { children, isins } from './ext/lists-of-company.ts';
import { match, suggest } from './ext/match.ts';
import { ownership } from './ext/ownership.ts';
import { mappings } from './mappings.ts';
import { status } from './status.ts';

/** The endpoints that query threads answer from a publication. All of them are counted. */
export const dataEndpoints: readonly DataEndpoint[] = [company, relationships, changes, search, ...mappings];

export const allEndpoints: readonly Endpoint[] = [...dataEndpoints, status];

/** The endpoints below /ext/v1. */
export const extEndpoints: readonly DataEndpoint[] = [
  companies,
  identifiers,
  match,
  children,
  ownership,
  asOf,
  isins,
  changesSince,
  suggest,
  list,
];
