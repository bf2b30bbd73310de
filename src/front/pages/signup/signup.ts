/**
 * `/signup`: makes an account and shows its first key, once. Works without scripts.
 *
 * A form carries a random name. A form that was already sent (a reload, a double click, the back button) is told
 * apart by it from an address that somebody else has; it is no secret, and nothing is trusted for having it.
 */
import { randomBytes } from 'node:crypto';
import { type Config, limits } from '../../../config.ts';
import {
  type AccountCreation,
  type AccountDirectory,
  type Applicant,
  noOwnLimits,
} from '../../../ports/account-directory.ts';
import { dayMs } from '../../../ports/ledger.ts';
import { checkApplicant } from '../../../state/account.ts';
import type { AccessService } from '../../access/access.ts';
import type { Log } from '../../log.ts';
import { type FormReading, readForm } from './form.ts';
import { formPage, keyPage, notePage } from './page.ts';
import { signupStyleHash } from './style.ts';

/** GET, HEAD and POST of /signup. `peer` is the address of the socket's other end, `baseUrl` the service's public address. Never rejects. */
export type SignupHandler = (request: Request, peer: string, baseUrl: string) => Promise<Response>;

export interface SignupParts {
  readonly config: Config;
  readonly accounts: AccountDirectory;
  readonly access: Pick<AccessService, 'client' | 'refresh'>;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Forms that were sent and are remembered as such; the oldest are forgotten first. */
const sentFormsMax = 10_000;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src '${signupStyleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** No other method comes this far, and none with LEI_SIGNUP=off. */
export function createSignup(parts: SignupParts): SignupHandler {
  const { config, log } = parts;
  const sent = sentForms();
  return async (request, peer, baseUrl) => {
    try {
      if (request.method === 'POST') return await submit(parts, sent, { request, peer, baseUrl });
      return answer(200, formPage(config, newForm()));
    } catch (error) {
      log.error('A sign-up failed in an unforeseen way.', { error });
      return answer(503, notePage(config, 'Please try again', ['Your account could not be made just now.']), {
        'Retry-After': String(limits.retryAfterUnavailableSeconds),
      });
    }
  };
}

interface SentForms {
  /** False where the form was sent before. */
  claim(form: string): boolean;
  /** For a form that came to nothing. */
  release(form: string): void;
}

function sentForms(): SentForms {
  const forms = new Set<string>();
  return {
    claim(form) {
      if (forms.has(form)) return false;
      forms.add(form);
      for (const oldest of forms) {
        if (forms.size <= sentFormsMax) break;
        forms.delete(oldest);
      }
      return true;
    },
    release: (form) => void forms.delete(form),
  };
}

interface Submission {
  readonly request: Request;
  readonly peer: string;
  readonly baseUrl: string;
}

async function submit(
  parts: SignupParts,
  sent: SentForms,
  { request, peer, baseUrl }: Submission,
): Promise<Response> {
  const reading = await readForm(request);
  if (!reading.ok) return refusedForm(parts.config, reading);
  const { form, applicant } = reading;
  const check = checkApplicant(applicant);
  if (!check.ok) return answer(400, formPage(parts.config, newForm(), applicant, check.faults));
  // Before anything is waited for, so that of two sent at once only one goes on.
  if (form !== null && !sent.claim(form)) return alreadySent(parts.config);
  try {
    const made = await create(parts, check.value, request, peer);
    if (made.outcome !== 'created' && form !== null) sent.release(form);
    return outcomePage(parts, check.value, made, baseUrl);
  } catch (error) {
    if (form !== null) sent.release(form);
    throw error;
  }
}

async function create(
  { accounts, access, clock }: SignupParts,
  applicant: Applicant,
  request: Request,
  peer: string,
): Promise<AccountCreation> {
  const now = clock();
  const client = access.client(peer, request.headers.get('x-forwarded-for'), now);
  const made = await accounts.create(applicant, noOwnLimits, new Date(now), client);
  // The key must work by the time its holder has read it.
  if (made.outcome === 'created') access.refresh();
  return made;
}

function outcomePage(
  { config, log, clock }: SignupParts,
  applicant: Applicant,
  made: AccountCreation,
  baseUrl: string,
) {
  switch (made.outcome) {
    case 'created':
      log.info('An account was made on the sign-up page.', { account: made.account.id });
      return answer(200, keyPage(config, baseUrl, made.account.email, made.secret));
    case 'address-taken':
      return answer(
        409,
        formPage(config, newForm(), applicant, [
          {
            field: 'email',
            detail:
              'There is an account for this address already. If its key was lost, ask the operator of this service for a new one.',
          },
        ]),
      );
    case 'client-limit':
    case 'daily-limit':
      return tooMany(config, made.outcome, clock());
  }
}

function tooMany(config: Config, limit: 'client-limit' | 'daily-limit', now: number): Response {
  const who = limit === 'client-limit' ? 'from your network' : 'in all';
  const secondsLeft = Math.ceil(dayMs / 1000 - (now % dayMs) / 1000);
  return answer(
    429,
    notePage(config, 'Too many accounts today', [
      `No more accounts can be made ${who} before midnight UTC. Please come back tomorrow.`,
      'Requests without a key go on working within the anonymous quota.',
    ]),
    { 'Retry-After': String(secondsLeft) },
  );
}

function alreadySent(config: Config): Response {
  return answer(
    409,
    notePage(config, 'This form was sent already', [
      'The account was made, and its key was shown once, on the page that followed. It is not shown again.',
      'If you could not copy it, ask the operator of this service for a new key for your account.',
    ]),
  );
}

function refusedForm(config: Config, { status, detail }: FormReading & { ok: false }): Response {
  return answer(status, notePage(config, 'The form could not be read', [detail]));
}

function answer(status: number, html: string, more: Readonly<Record<string, string>> = {}): Response {
  return new Response(html, { status, headers: { ...headers, ...more } });
}

function newForm(): string {
  return randomBytes(16).toString('base64url');
}
