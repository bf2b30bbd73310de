/**
 * `/status`, and the status that it and `lei status` show: the published data and the state of the service. Only the
 * operator's shows the folders of files.
 */

import { type Static, Type } from '@sinclair/typebox';
import packageJson from '../../package.json' with { type: 'json' };
import type { HeldPublication, Publications } from '../http/publication-texts.ts';
import { type StatusAnswer, StatusAnswerSchema } from '../lei/answers.ts';
import { byKind, identifierKinds } from '../lei/identifier-kinds.ts';
import { nullable } from '../lei/schema.ts';
import { reads, serviceEndpoint } from './endpoint.ts';
import recorded from './examples/status.json' with { type: 'json' };
import { ShownLimitsSchema } from './service-limits.ts';

/** The example counts only the identifiers that the sample has. */
const counts: Readonly<Record<string, number>> = recorded.data.counts;
const example = {
  ...recorded,
  data: {
    ...recorded.data,
    counts: { ...counts, ...byKind(identifierKinds, (kind) => counts[kind] ?? 0) },
  },
};

export const status = serviceEndpoint({
  ...reads,
  path: '/status',
  operationId: 'getStatus',
  parameters: [],
  cost: null,
  tag: 'Service',
  summary: 'The served data',
  description:
    'The active publication, its source files, and the load in progress. The operation ignores the query and the Authorization header, and is never counted.',
  answer: { name: 'StatusAnswer', schema: StatusAnswerSchema, example },
});

type ReportedPublications = Pick<Publications, 'previous' | 'loading' | 'lastFailure'>;

/** Like the data of the status endpoint, with nulls if there is no publication and the endpoint answers 503. */
const ServiceStatusSchema = Type.Object({
  ...StatusAnswerSchema.properties,
  publication: nullable(StatusAnswerSchema.properties.publication),
  counts: nullable(StatusAnswerSchema.properties.counts),
});
/** The status that `lei status` shows. */
export const RunningStatusSchema = Type.Object({
  ...ServiceStatusSchema.properties,
  /** Threads that answer. */
  threads: Type.Object({ fronts: Type.Integer(), queries: Type.Integer() }),
  /** The limits of a running service. Earlier versions do not report them. */
  limits: Type.Optional(ShownLimitsSchema),
});
export type RunningStatus = Static<typeof RunningStatusSchema>;
/** The status of a running service, as `lei status` shows it. */
export function serviceStatus(
  publications: ReportedPublications & Pick<Publications, 'active'>,
  uptimeMs: number,
): Static<typeof ServiceStatusSchema> {
  const active = publications.active();
  if (active !== null) return statusOf(active, publications, uptimeMs);
  const state = stateOf(publications, uptimeMs);
  const status = state.loading === null ? 'unavailable' : 'loading';
  return { status, publication: null, counts: null, previous: [], ...state };
}

/** The members that do not depend on a publication. */
function stateOf(publications: ReportedPublications, uptimeMs: number) {
  return {
    loading: publications.loading(),
    lastFailure: publications.lastFailure(),
    uptimeSeconds: Math.floor(uptimeMs / 1000),
    version: packageJson.version,
  };
}

/** As the status endpoint shows it to everybody. */
export function publicStatus(
  active: HeldPublication,
  publications: ReportedPublications,
  uptimeMs: number,
): StatusAnswer {
  const status = statusOf(active, publications, uptimeMs);
  const { lastFailure } = status;
  if (lastFailure === null) return status;
  return { ...status, lastFailure: { ...lastFailure, message: withoutFolders(lastFailure.message) } };
}

/** The text with base names in place of paths and URLs: `/srv/data/a.csv` becomes `a.csv`. */
export function withoutFolders(text: string): string {
  return text.replaceAll(tokens, (token) => {
    if (!token.includes('/')) return token;
    const parts = token.split('/').filter((part) => part !== '');
    return isPath(token) ? (parts.at(-1) ?? '/') : token;
  });
}
const tokens = /[^\s'"“”(),;=]+/g;

/** Whether a token with a slash is a path: `and/or` and `64 KiB/s` are not. */
function isPath(token: string): boolean {
  return /^(?:[/~.]|[a-z][\w+.-]*:\/)/i.test(token) || /\/[^/]*(?:\/|\.\w)/.test(token);
}

export function statusOf(
  { manifest, activatedAt }: HeldPublication,
  publications: ReportedPublications,
  uptimeMs: number,
): StatusAnswer {
  const state = stateOf(publications, uptimeMs);
  return {
    status: state.loading === null ? 'ok' : 'loading',
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
    ...state,
  };
}
