/**
 * The session of a browser: the cookie with its random id, and the names of the forms that only its own pages have.
 *
 * A form's name is random and ends with a keyed digest of the random part, whose key is the id of the session. So a
 * form of another site or another session is recognised without stored data, and each form can be sent once.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { sessionMs } from '../../ports/sessions.ts';
import type { SiteAddress } from '../../protocol/ext-questions.ts';

const cookieName = 'lei_session';
/** 32 bytes in base64url. */
const idPattern = /^[A-Za-z0-9_-]{43}$/;
/** 16 bytes and 16 bytes in base64url. */
const formPattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;
const formBytes = 16;

export interface BrowserSession {
  readonly id: string;
  /** The digest of the id, which the service stores. */
  readonly digest: string;
}

/** A new session: never one that a browser brings along. */
export function newSession(): BrowserSession {
  return sessionOf(randomBytes(32).toString('base64url'));
}

/** The session of a request; null if its cookies contain none, or several. */
export function sessionIn({ headers }: Request): BrowserSession | null {
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const ids = cookies.filter((cookie) => cookie.startsWith(`${cookieName}=`));
  const id = ids[0]?.slice(cookieName.length + 1) ?? '';
  // With two cookies, one may be from another site on the same host.
  return ids.length === 1 && idPattern.test(id) ? sessionOf(id) : null;
}

export function cookieOf({ id }: BrowserSession, place: SiteAddress): string {
  return cookie(id, sessionMs / 1_000, place);
}

/** Deletes the session's cookie in the browser. */
export function noCookie(place: SiteAddress): string {
  return cookie('', 0, place);
}

/** `Secure` if the public address of the service has the scheme https. */
function cookie(value: string, seconds: number, { basePath, baseUrl }: SiteAddress): string {
  const attributes = `Path=${basePath}/account; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return `${cookieName}=${value}; ${attributes}${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
}

/** The name of a new form. */
export function newForm(session: BrowserSession): string {
  const name = randomBytes(formBytes).toString('base64url');
  return `${name}.${proof(session, name)}`;
}

/** Whether a form belongs to this session. */
export function isOwnForm(session: BrowserSession, form: string): boolean {
  const [, name, given] = formPattern.exec(form) ?? [];
  if (name === undefined || given === undefined) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(proof(session, name)));
}

function proof({ id }: BrowserSession, name: string): string {
  return createHmac('sha256', id).update(name).digest().subarray(0, formBytes).toString('base64url');
}

function sessionOf(id: string): BrowserSession {
  return { id, digest: hash('sha256', id, 'base64') };
}
