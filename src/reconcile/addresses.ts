/**
 * The addresses of the Reconciliation Service API 0.2. Its specification describes them, so the OpenAPI documents do
 * not.
 */
import { type RouteFacts, readMethods } from '../http/definition.ts';
import type { PathParameters } from '../http/routes.ts';

/** The kinds of things that clients of a reconciliation service ask suggestions for. */
export const suggested = ['entity', 'property', 'type'] as const;
export type SuggestionKind = (typeof suggested)[number];

export const reconcileBase = '/reconcile';

export type ReconcileTarget =
  | { readonly target: 'root' | 'preview' | 'properties' }
  | { readonly target: 'suggest' | 'flyout'; readonly of: SuggestionKind };

interface ReconcileAddress extends RouteFacts {
  /** With a token in it and without; users paste the address with a trailing slash too. */
  readonly paths: readonly string[];
  readonly asks: ReconcileTarget;
  isOther(parameters: PathParameters): boolean;
}

/** @param place below the base, or below the token */
function address(
  operationId: string,
  place: string,
  asks: ReconcileTarget,
  methods: readonly string[] = readMethods,
): ReconcileAddress {
  const whole = [reconcileBase, `${reconcileBase}/{token}`].map((base) => base + place);
  return {
    operationId,
    template: reconcileBase + ('of' in asks ? `/${asks.target}/{of}` : place),
    methods,
    paths: whole.flatMap((path) => [path, `${path}/`]),
    asks,
    isOther: ({ token }) => token !== undefined && words.has(token),
  };
}

export const reconcileAddresses: readonly ReconcileAddress[] = [
  // Manifest, queries and data extension; the only read-only address that accepts POST.
  address('reconcile', '', { target: 'root' }, [...readMethods, 'POST']),
  address('reconcilePreview', '/preview', { target: 'preview' }),
  address('reconcileProperties', '/properties', { target: 'properties' }),
  ...suggested.flatMap((of) => [
    address('reconcileSuggest', `/suggest/${of}`, { target: 'suggest', of }),
    address('reconcileFlyout', `/flyout/${of}`, { target: 'flyout', of }),
  ]),
];

/** A first part of a path that is one of these is no token. */
const words: ReadonlySet<string> = new Set(reconcileAddresses.map(({ asks }) => asks.target));

export const reconcileOperations: readonly string[] = [
  ...new Set(reconcileAddresses.map(({ operationId }) => operationId)),
];
