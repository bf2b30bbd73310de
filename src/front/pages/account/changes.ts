/** Parses which change a form of the account page asks for. */
import { checkKeyName } from '../../../state/account.ts';
import type { AccountChange } from './desk.ts';

type ChangeReading =
  | { readonly ok: true; readonly change: AccountChange }
  /** A sentence for the sender. */
  | { readonly ok: false; readonly detail: string };

export function readChange(fields: URLSearchParams): ChangeReading {
  const action = fields.get('action');
  const keyId = fields.get('key') ?? '';
  switch (action) {
    case 'create-key':
      return createKey(fields);
    case 'name-key':
      return named(fields, (name) => ({ action, keyId, name }));
    case 'revoke-key':
      return { ok: true, change: { action, keyId } };
    case 'delete-account':
      if (fields.get('confirm') === 'yes') return { ok: true, change: { action } };
      return { ok: false, detail: 'To delete the account, tick the box that confirms it.' };
    case 'sign-out':
      return { ok: true, change: { action } };
    default:
      return { ok: false, detail: 'This page does not know the change that the form asks for.' };
  }
}

function createKey(fields: URLSearchParams): ChangeReading {
  const kind = fields.get('kind') ?? 'api';
  if (kind === 'api' || kind === 'reconcile') {
    return named(fields, (name) => ({ action: 'create-key', name, kind }));
  }
  return { ok: false, detail: 'A key is for programs, or for OpenRefine; choose one of the two.' };
}

function named(fields: URLSearchParams, changeOf: (name: string | null) => AccountChange): ChangeReading {
  const check = checkKeyName(fields.get('name') ?? '');
  return check.ok ? { ok: true, change: changeOf(check.name) } : check;
}
