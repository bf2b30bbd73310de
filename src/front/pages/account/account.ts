/**
 * `/account`: shows a signed-in user the usage, keys and data of the account. It works without scripts. Every change is
 * a form of the page, sent by POST to the same address with a field `action`.
 */
import type { FrontAccess } from '../../access/access.ts';
import type { Tariffs } from '../../access/tariffs.ts';
import { type PageAnswer, type PageDefinition, readingMethods, redirect, type Visit } from '../definition.ts';
import { readFields } from '../form-fields.ts';
import { readChange } from './changes.ts';
import type { AccountDesk, AccountReply } from './desk.ts';
import { dataFile } from './download.ts';
import { notePage, signInPage } from './note-pages.ts';
import { type AccountSite, accountPage, keyPage } from './pages.ts';
import { type BrowserSession, cookieOf, isOwnForm, newSession, noCookie, sessionIn } from './session.ts';

interface AccountParts {
  readonly config: AccountSite;
  readonly tariffs: Tariffs;
  readonly desk: AccountDesk;
  readonly access: Pick<FrontAccess, 'signIn'>;
}

export function accountPages(parts: AccountParts): readonly PageDefinition[] {
  const common = { counted: asksTheState, personal: true } as const;
  return [
    {
      ...common,
      path: '/account',
      methods: ['GET', 'HEAD', 'POST'],
      answer: (visit) => (visit.request.method === 'POST' ? submit(parts, visit) : show(parts, visit)),
    },
    {
      ...common,
      path: '/account/data.json',
      methods: readingMethods,
      answer: (visit) => download(parts, visit),
    },
  ];
}

/** Every form and every visit with a session cookie reads or writes the state. */
function asksTheState(request: Request): boolean {
  return request.method === 'POST' || sessionIn(request) !== null;
}

async function show({ config, desk, tariffs }: AccountParts, visit: Visit): Promise<PageAnswer> {
  const done = visit.query.get('done');
  const session = sessionIn(visit.request);
  if (session === null) return signInPage(config, { done });
  const reply = await desk.answer({ ask: 'show', digest: session.digest, now: visit.now });
  if (reply.outcome !== 'shown') return ended(config, visit, { status: 200, done });
  const policy = tariffs.of(reply.view.account);
  return accountPage({ config, session, view: reply.view, policy, now: visit.now, done });
}

async function download({ config, desk, tariffs }: AccountParts, visit: Visit): Promise<PageAnswer> {
  const session = sessionIn(visit.request);
  if (session === null) return signInPage(config, { status: 401 });
  const reply = await desk.answer({ ask: 'show', digest: session.digest, now: visit.now });
  if (reply.outcome !== 'shown') return ended(config, visit, { status: 401 });
  return dataFile(reply.view, tariffs.of(reply.view.account));
}

async function submit(parts: AccountParts, visit: Visit): Promise<PageAnswer> {
  const { config } = parts;
  const reading = await readFields(visit.request, visit.baseUrl);
  if (!reading.ok) return notePage(config, reading.status, 'The form could not be read', [reading.detail]);
  const { fields } = reading;
  if (fields.get('action') === 'sign-in') return signIn(parts, visit, fields.get('key') ?? '');
  const session = sessionIn(visit.request);
  if (session === null) return signInPage(config, { status: 401 });
  return change(parts, visit, session, fields);
}

async function signIn(
  { config, desk, access }: AccountParts,
  { request, peer, baseUrl, now }: Visit,
  typed: string,
): Promise<PageAnswer> {
  const forwardedFor = request.headers.get('x-forwarded-for');
  const check = await access.signIn({ key: typed.trim(), peer, forwardedFor, now });
  if (check.outcome === 'exhausted') {
    return signInPage(config, { status: 429, retrySeconds: Math.ceil((check.returnsAt - now) / 1_000) });
  }
  if (check.outcome === 'unknown') return signInPage(config, { status: 401, refused: true });
  const session = newSession();
  const { accountId, keyId } = check;
  const before = sessionIn(request)?.digest ?? null;
  const opening = { accountId, keyId, openedAt: now };
  const reply = await desk.answer({
    ask: 'sign-in',
    digest: session.digest,
    session: opening,
    before,
  });
  if (reply.outcome !== 'signed-in') return tooManySessions(config);
  const cookie = cookieOf(session, config.basePath, isHttps(baseUrl));
  return redirect(config.basePath, '/account', { 'Set-Cookie': cookie });
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
  const reply = await desk.answer({ ask: 'change', digest, now: visit.now, form, change: reading.change });
  return afterChange(config, visit, reply);
}

function afterChange(config: AccountSite, visit: Visit, reply: AccountReply): PageAnswer {
  const back = `/account?done=${reply.outcome}`;
  switch (reply.outcome) {
    case 'key-created':
      return keyPage(config, visit.baseUrl, reply.key, reply);
    case 'key-named':
    case 'key-revoked':
      return redirect(config.basePath, back);
    case 'signed-out':
    case 'account-deleted':
      return redirect(config.basePath, back, {
        'Set-Cookie': noCookie(config.basePath, isHttps(visit.baseUrl)),
      });
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
      return ended(config, visit, { status: 401 });
    default:
      throw new Error(`The desk answered a change with ${reply.outcome}.`);
  }
}

/** The session has ended; the browser forgets it. */
function ended(
  config: AccountSite,
  { baseUrl }: Visit,
  note: { readonly status: 200 | 401; readonly done?: string | null },
): PageAnswer {
  const cookie = noCookie(config.basePath, isHttps(baseUrl));
  const page = signInPage(config, { ...note, ended: true });
  return { ...page, headers: { ...page.headers, 'Set-Cookie': cookie } };
}

function tooManySessions(config: AccountSite): PageAnswer {
  const note = notePage(config, 503, 'Please try again later', ['Too many people are signed in just now.']);
  return { ...note, headers: { 'Retry-After': '60' } };
}

function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
