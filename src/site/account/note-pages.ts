/** Renders the account page for visitors who are not signed in, and notes about changes that were not made. */
import type { Config } from '../../config.ts';
import { type Html, html } from '../../html/html.ts';
import type { ShownPage } from '../definition.ts';
import { narrowSheet, notesOf, problemSummary } from '../shared-parts.ts';

/** The settings that the pages of accounts show. */
export type AccountSite = Pick<Config, 'basePath' | 'signup' | 'contact' | 'limitsMode'>;

interface SignInNote {
  readonly status?: 200 | 401 | 429;
  /** The last action, from `done` in the address. */
  readonly done?: string | null;
  /** The browser had a session, which has ended. */
  readonly ended?: boolean;
  /** The key that was typed is not active. */
  readonly refused?: boolean;
  /** Seconds to wait after too many attempts. */
  readonly retrySeconds?: number;
}

/** The form to sign in. It never shows again what was typed. */
export function signInPage(config: AccountSite, note: SignInNote): ShownPage {
  const { status = 200, done = null, ended = false, refused = false } = note;
  const fault = faultOf(note);
  const content = html`${doneNote(done, ended)}${fault !== null && problemSummary([{ field: 'key', detail: fault }])}<form method="post" action="${config.basePath}/account">
<input type="hidden" name="action" value="sign-in">
<div class="field">
<label for="key">API key</label>
<span class="hint" id="key-hint">Any active key of your account. It begins with <code>lei_live_</code>.</span>
<input id="key" name="key" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" required aria-describedby="key-hint"${refused && html` aria-invalid="true"`}>
</div>
<p class="send"><button type="submit">Sign in</button></p>
</form>
<p class="quiet">You stay signed in for an hour. For that time, your browser keeps a random session id instead of the key.</p>
${noKeyYet(config)}`;
  return {
    status,
    title: fault === null ? 'Sign in' : 'Error: Sign in',
    content: narrowSheet('Sign in to your account', content),
    noindex: true,
    entry: '/account',
    headers: headersOf(note),
  };
}

function faultOf({ refused = false, retrySeconds }: SignInNote): string | null {
  if (retrySeconds !== undefined) {
    return `Too many keys were tried from your network address. Try again in ${retrySeconds === 1 ? 'a second' : `${retrySeconds} seconds`}.`;
  }
  return refused
    ? 'This is not an active key of this service. Check whether characters are missing or the key was revoked.'
    : null;
}

function headersOf({ status, refused = false, retrySeconds }: SignInNote): Record<string, string> {
  if (retrySeconds !== undefined) return { 'Retry-After': String(retrySeconds) };
  const error = refused ? ', error="invalid_token"' : '';
  return status === 401 ? { 'WWW-Authenticate': `Bearer realm="lei"${error}` } : {};
}

function noKeyYet({ signup, basePath, contact }: AccountSite): Html {
  if (signup) return html`<p>No key yet? <a href="${basePath}/signup">Get one</a>.</p>`;
  const operator =
    contact === null
      ? html`the operator of this service`
      : html`<a href="${contact}">the operator of this service</a>`;
  return html`<p>No key yet? Ask ${operator} for an account.</p>`;
}

/** The notes, by the value of `done` in the address. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['key-named', 'The key has its new name.'],
  ['key-revoked', 'The key is revoked. The service refuses it from now on.'],
  ['signed-out', 'You are signed out.'],
  ['account-deleted', 'Your account and its keys are deleted.'],
]);

/** Says what the last form has done. @param ended whether the browser's session has ended */
export function doneNote(done: string | null, ended: boolean): Html | null {
  const told = [
    sentences.get(done ?? ''),
    ended ? 'Your session has ended. Sign in again to go on.' : undefined,
  ];
  const texts = told.filter((text) => text !== undefined);
  return texts.length === 0
    ? null
    : html`<div class="note" role="status">${texts.map((text) => html`<p>${text}</p>`)}</div>\n`;
}

/** Explains in sentences why something was not done. */
export const notePage = notesOf('/account', 'Back to your account');
