/**
 * `/signup`: creates an account and shows its first key, once. It works without scripts.
 *
 * A form has a random name, which distinguishes a form sent twice (a reload, a double click, the back button) from a
 * taken e-mail address. The name is public and gives no rights.
 */
import { randomBytes } from 'node:crypto';
import type { Config } from '../../../config.ts';
import type { Applicant, SignupRefusal } from '../../../ports/account-directory.ts';
import { dayMs } from '../../../ports/ledger.ts';
import { checkApplicant } from '../../../state/account.ts';
import type { FrontAccess } from '../../access/access.ts';
import type { Log } from '../../log.ts';
import { retryAfterUnavailableSeconds } from '../../problems.ts';
import type { Shown } from '../definition.ts';
import { layout } from '../layout.ts';
import { htmlHeaders } from '../policy.ts';
import type { SignupDesk, SignupOutcome } from './desk.ts';
import { type FormReading, readForm } from './form.ts';
import { formPage, keyPage, notePage } from './page.ts';

/**
 * Answers GET, HEAD and POST of /signup. Never rejects.
 * @param peer address of the socket's other end
 * @param baseUrl the service's public address
 */
export type SignupHandler = (request: Request, peer: string, baseUrl: string) => Promise<Response>;

interface SignupParts {
  readonly config: Config;
  readonly desk: SignupDesk;
  readonly access: Pick<FrontAccess, 'signupOrigin'>;
  readonly log: Pick<Log, 'error'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const headers = {
  ...htmlHeaders(),
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  // With no-referrer a browser would send `Origin: null` with the form of this very page.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Receives no other methods, and nothing with LEI_SIGNUP=off. */
export function createSignup(parts: SignupParts): SignupHandler {
  const { config, log } = parts;
  return async (request, peer, baseUrl) => {
    try {
      if (request.method === 'POST') return await submit(parts, { request, peer, baseUrl });
      return answer(config, 200, formPage(config, newForm()));
    } catch (error) {
      log.error('A sign-up failed unexpectedly.', { error });
      return answer(
        config,
        503,
        notePage(config, 'Please try again', ['Your account could not be created just now.']),
        {
          'Retry-After': String(retryAfterUnavailableSeconds),
        },
      );
    }
  };
}

interface Submission {
  readonly request: Request;
  readonly peer: string;
  readonly baseUrl: string;
}

async function submit(parts: SignupParts, { request, peer, baseUrl }: Submission): Promise<Response> {
  const { config, desk, access, clock } = parts;
  const reading = await readForm(request, baseUrl);
  if (!reading.ok) return refusedForm(config, reading);
  const check = checkApplicant(reading.applicant);
  if (!check.ok) return answer(config, 400, formPage(config, newForm(), reading.applicant, check.faults));
  const now = clock();
  const origin = access.signupOrigin(peer, request.headers.get('x-forwarded-for'), now);
  const outcome = await desk.signUp({ form: reading.form, applicant: check.value, origin, now });
  return outcomePage(parts, check.value, outcome, baseUrl);
}

function outcomePage(
  { config, clock }: SignupParts,
  applicant: Applicant,
  made: SignupOutcome,
  baseUrl: string,
): Response {
  switch (made.outcome) {
    case 'already-sent':
      return alreadySent(config);
    case 'created':
      return answer(config, 200, keyPage(config, baseUrl, made.account.email, made.secret));
    case 'address-taken':
      return answer(
        config,
        409,
        formPage(config, newForm(), applicant, [
          {
            field: 'email',
            detail:
              'This address already has an account. If you lost its key, ask the operator of this service for a new one.',
          },
        ]),
      );
    case 'client-limit':
    case 'network-limit':
    case 'daily-limit':
      return tooMany(config, made.outcome, clock());
  }
}

function tooMany(config: Config, limit: SignupRefusal, now: number): Response {
  const who = limit === 'daily-limit' ? 'in all' : 'from your network';
  const secondsLeft = Math.ceil(dayMs / 1000 - (now % dayMs) / 1000);
  return answer(
    config,
    429,
    notePage(config, 'Too many new accounts today', [
      `No more accounts can be created ${who} before midnight UTC. Please come back tomorrow.`,
      'Requests without a key still work, within the anonymous quota.',
    ]),
    { 'Retry-After': String(secondsLeft) },
  );
}

function alreadySent(config: Config): Response {
  return answer(
    config,
    409,
    notePage(config, 'This form was sent already', [
      'The account was created, and the next page showed its key once. The key cannot be shown again.',
      'If you could not copy it, ask the operator of this service for a new key.',
    ]),
  );
}

function refusedForm(config: Config, { status, detail }: FormReading & { ok: false }): Response {
  return answer(config, status, notePage(config, 'The form could not be read', [detail]));
}

function answer(
  config: Config,
  status: number,
  page: Shown,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(layout(page, '/signup', config), { status, headers: { ...headers, ...more } });
}

function newForm(): string {
  return randomBytes(16).toString('base64url');
}
