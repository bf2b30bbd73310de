/**
 * The addresses of the Reconciliation Service API 0.2. Its specification describes them, so the OpenAPI documents do
 * not.
 */
import type { Described } from './endpoint.ts';
import { reads } from './endpoint.ts';

/** The kinds of things that clients of a reconciliation service ask suggestions for. */
export const suggested = ['entity', 'property', 'type'] as const;
export type Suggested = (typeof suggested)[number];

export const reconcileBase = '/reconcile';

function described(operationId: string, path: string, methods: readonly string[] = reads.methods): Described {
  return { operationId, template: reconcileBase + path, methods };
}

/** Manifest, queries and data extension; the only read-only address that accepts POST. */
const root = described('reconcile', '', [...reads.methods, 'POST']);
const preview = described('reconcilePreview', '/preview');
const properties = described('reconcileProperties', '/properties');
const suggest = described('reconcileSuggest', '/suggest/{of}');
const flyout = described('reconcileFlyout', '/flyout/{of}');

export const reconcileOperations: readonly string[] = [root, preview, properties, suggest, flyout].map(
  ({ operationId }) => operationId,
);

export type ReconcileTarget =
  | { readonly target: 'root' | 'preview' | 'properties' }
  | { readonly target: 'suggest' | 'flyout'; readonly of: Suggested };

/** An address of the service, with the token in it; null if there is none. */
export interface ReconcileAddress {
  readonly endpoint: Described;
  readonly asks: ReconcileTarget;
  readonly token: string | null;
}

type Place = Omit<ReconcileAddress, 'token'>;

const places: ReadonlyMap<string, Place> = new Map<string, Place>([
  ['', { endpoint: root, asks: { target: 'root' } }],
  ['preview', { endpoint: preview, asks: { target: 'preview' } }],
  ['properties', { endpoint: properties, asks: { target: 'properties' } }],
  ...suggested.flatMap((of): [string, Place][] => [
    [`suggest/${of}`, { endpoint: suggest, asks: { target: 'suggest', of } }],
    [`flyout/${of}`, { endpoint: flyout, asks: { target: 'flyout', of } }],
  ]),
]);
const firstWords: ReadonlySet<string> = new Set([...places.keys()].map((place) => place.split('/')[0] ?? ''));

/**
 * Reads a path at or below {@link reconcileBase}. A first part that is not a name of the service is a token.
 * @returns null for an unknown path
 */
export function reconcileAddress(path: string): ReconcileAddress | null {
  const parts = path.slice(reconcileBase.length).split('/').slice(1);
  // Users paste the address with a trailing slash.
  if (parts.at(-1) === '') parts.pop();
  const [first] = parts;
  const token = first === undefined || firstWords.has(first) ? null : first;
  const place = places.get((token === null ? parts : parts.slice(1)).join('/'));
  return place === undefined ? null : { ...place, token };
}
