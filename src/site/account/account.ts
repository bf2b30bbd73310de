/**
 * `/account`: shows a signed-in user the usage, keys and data of the account. It works without scripts. Every change is
 * a form of the page, sent by POST to the same address with a field `action`.
 */
import type { FrontAccess } from '../../accounts/access/access.ts';
import type { Tariffs } from '../../accounts/access/tariffs.ts';
import type { AccountChange, AccountDesk, AccountReply } from '../../accounts/desk/account-desk.ts';
import { checkKeyName } from '../../accounts/state/account.ts';
import { readMethods } from '../../http/definition.ts';
import { secondsUntil } from '../../http/headers.ts';
import { type PageAnswer, type PageDefinition, redirect, type Visit } from '../definition.ts';
import { readFields } from '../form-fields.ts';
import { type AccountSite, notePage, signInPage } from './note-pages.ts';
import { accountPage, dataFile, keyPage, type SignedInParts } from './pages.ts';
import { type BrowserSession, cookieOf, isOwnForm, newSession, noCookie, sessionIn } from './session.ts';

interface AccountParts {
  readonly config: AccountSite;
  readonly tariffs: Tariffs;
  readonly desk: AccountDesk;
  readonly access: Pick<FrontAccess, 'signIn'>;
}

/** The answer to a visitor without a session. */
interface SignedOut {
  readonly status: 200 | 401;
  /** The last action, from `done` in the address. */
  readonly done: string | null;
}

export function accountPages(parts: AccountParts): readonly PageDefinition[] {
  // A client that has used up its day of pages must still be able to revoke a key.
  const common = { units: stateUnits, countsForDay: false, personal: true } as const;
  return [
    {
      ...common,
      path: '/account',
      methods: ['GET', 'HEAD', 'POST'],
      answer: (visit) =>
        visit.request.method === 'POST'
          ? submit(parts, visit)
          : show(parts, visit, { status: 200, done: visit.query.get('done') }, accountPage),
    },
    {
      ...common,
      path: '/account/data.json',
      methods: readMethods,
      answer: (visit) => show(parts, visit, { status: 401, done: null }, dataFile),
    },
  ];
}

/** Every form and every visit with a session cookie reads or writes the state. */
function stateUnits({ request }: Pick<Visit, 'request'>): number {
  return request.method === 'POST' || sessionIn(request) !== null ? 1 : 0;
}

/** @param note for a visitor who is not signed in @param page for one who is */
async function show(
  { config, desk, tariffs }: AccountParts,
  visit: Visit,
  note: SignedOut,
  page: (signed: SignedInParts) => PageAnswer,
): Promise<PageAnswer> {
  const session = sessionIn(visit.request);
  if (session === null) return signInPage(config, note);
  const reply = await desk({ ask: 'show', digest: session.digest, now: visit.clock() });
  if (reply.outcome !== 'shown') return ended(config, visit, note);
  const { view } = reply;
  const policy = tariffs.of(view.account);
  return page({ config, session, view, policy, now: visit.clock(), done: note.done });
}

async function submit(parts: AccountParts, visit: Visit): Promise<PageAnswer> {
  const { config } = parts;
  const reading = await readFields(visit);
  if (!reading.ok) return notePage(config, reading.status, 'The form could not be read', [reading.detail]);
  const { fields } = reading;
  if (fields.get('action') === 'sign-in') return signIn(parts, visit, fields.get('key') ?? '');
  const session = sessionIn(visit.request);
  if (session === null) return signInPage(config, { status: 401 });
  return change(parts, visit, session, fields);
}

async function signIn(
  { config, desk, access }: AccountParts,
  visit: Visit,
  typed: string,
): Promise<PageAnswer> {
  const { request, peer, clock } = visit;
  const now = clock();
  const forwardedFor = request.headers.get('x-forwarded-for');
  const check = await access.signIn({ key: typed.trim(), peer, forwardedFor, now });
  if (check.outcome === 'exhausted') {
    return signInPage(config, { status: 429, retrySeconds: secondsUntil(check.returnsAt, check.quota) });
  }
  if (check.outcome === 'unknown') return signInPage(config, { status: 401, refused: true });
  const session = newSession();
  const { accountId, keyId } = check;
  const reply = await desk({
    ask: 'sign-in',
    digest: session.digest,
    session: { accountId, keyId, openedAt: now },
    before: sessionIn(request)?.digest ?? null,
  });
  if (reply.outcome !== 'signed-in') return tooManySessions(config);
  return redirect(visit, '/account', { 'Set-Cookie': cookieOf(session, visit) });
}

async function change(
  { config, desk }: AccountParts,
  visit: Visit,
  session: BrowserSession,
  fields: URLSearchParams,
): Promise<PageAnswer> {
  const form = fields.get('form') ?? '';
  if (!isOwnForm(session, form)) {
    return notePage(config, 403, 'Nothing was changed', [
      'The form does not belong to your session. You may have signed in again since you opened it.',
    ]);
  }
  const reading = readChange(fields);
  if (!reading.ok) return notePage(config, 400, 'Nothing was changed', [reading.detail]);
  const { digest } = session;
  const reply = await desk({ ask: 'change', digest, now: visit.clock(), form, change: reading.change });
  return afterChange(config, visit, reply);
}

type ChangeReading =
  | { readonly ok: true; readonly change: AccountChange }
  /** A sentence for the sender. */
  | { readonly ok: false; readonly detail: string };

/** Parses which change a form asks for. */
function readChange(fields: URLSearchParams): ChangeReading {
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

function afterChange(config: AccountSite, visit: Visit, reply: AccountReply): PageAnswer {
  const back = `/account?done=${reply.outcome}`;
  switch (reply.outcome) {
    case 'key-created':
      return keyPage(config, visit.baseUrl, reply);
    case 'key-named':
    case 'key-revoked':
      return redirect(visit, back);
    case 'signed-out':
    case 'account-deleted':
      return redirect(visit, back, { 'Set-Cookie': noCookie(visit) });
    case 'sent-before':
      return notePage(config, 409, 'This form was sent already', [
        'The change was made, once. If it created a key, the next page showed that key, and it cannot be shown again.',
        'If you could not copy that key, revoke it and create another.',
      ]);
    case 'too-many-forms':
      return notePage(config, 409, 'Please sign in again', [
        'You have made too many changes since you signed in. Sign out and sign in again to continue.',
      ]);
    case 'too-many-keys':
      return notePage(config, 409, 'No key was created', [
        'Your account has the maximum number of active keys. Revoke one that you no longer use.',
      ]);
    case 'no-such-key':
      return notePage(config, 404, 'Nothing was changed', ['Your account has no such key.']);
    case 'ended':
      return ended(config, visit, { status: 401, done: null });
    default:
      throw new Error(`The desk answered a change with ${reply.outcome}.`);
  }
}

/** The session has ended; the browser forgets it. */
function ended(config: AccountSite, visit: Visit, note: SignedOut): PageAnswer {
  const page = signInPage(config, { ...note, ended: true });
  return { ...page, headers: { ...page.headers, 'Set-Cookie': noCookie(visit) } };
}

function tooManySessions(config: AccountSite): PageAnswer {
  const note = notePage(config, 503, 'Please try again later', ['Too many people are signed in just now.']);
  return { ...note, headers: { 'Retry-After': '60' } };
}
