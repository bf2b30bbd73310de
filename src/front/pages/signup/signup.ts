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
import { type ApplicantFault, checkApplicant } from '../../../state/account.ts';
import type { FrontAccess } from '../../access/access.ts';
import type { AccountDesk, AccountReply } from '../account/desk.ts';
import type { PageDefinition, Shown, Visit } from '../definition.ts';
import { readFields } from '../form-fields.ts';
import { formPage, keyPage, notePage } from './page.ts';

interface SignupParts {
  readonly config: Config;
  readonly desk: AccountDesk;
  readonly access: Pick<FrontAccess, 'signupOrigin'>;
}

/** Does not exist with LEI_SIGNUP=off. */
export function signupPage(parts: SignupParts): PageDefinition {
  return {
    path: '/signup',
    methods: ['GET', 'HEAD', 'POST'],
    counted: () => false,
    personal: true,
    answer: (visit) =>
      visit.request.method === 'POST' ? submit(parts, visit) : formPage(parts.config, newForm()),
  };
}

async function submit({ config, desk, access }: SignupParts, visit: Visit): Promise<Shown> {
  const { peer, baseUrl, now } = visit;
  const reading = await readFields(visit.request, baseUrl);
  if (!reading.ok) return notePage(config, reading.status, 'The form could not be read', [reading.detail]);
  const typed = applicantIn(reading.fields);
  const check = checkApplicant(typed);
  if (!check.ok) return faultyForm(config, 400, typed, check.faults);
  const origin = access.signupOrigin(peer, visit.request.headers.get('x-forwarded-for'), now);
  const request = { form: formIn(reading.fields), applicant: check.value, origin, now };
  const reply = await desk.answer({ ask: 'sign-up', ...request });
  return replyPage(config, visit, check.value, reply);
}

function applicantIn(fields: URLSearchParams): Applicant {
  const field = (name: keyof Applicant) => fields.get(name) ?? '';
  return { email: field('email'), company: field('company'), use: field('use') };
}

const formNamePattern = /^[A-Za-z0-9_-]{22}$/;

/** The random name of the rendered form; null for a request written by hand. */
function formIn(fields: URLSearchParams): string | null {
  const name = fields.get('form') ?? '';
  return formNamePattern.test(name) ? name : null;
}

function newForm(): string {
  return randomBytes(16).toString('base64url');
}

function replyPage(
  config: Config,
  { baseUrl, now }: Visit,
  applicant: Applicant,
  reply: AccountReply,
): Shown {
  switch (reply.outcome) {
    case 'created':
      return keyPage(config, baseUrl, reply.account.email, reply.secret);
    case 'already-sent':
      return notePage(config, 409, 'This form was sent already', [
        'The account was created, and the next page showed its key once. The key cannot be shown again.',
        'If you could not copy it, ask the operator of this service for a new key.',
      ]);
    case 'address-taken':
      return faultyForm(config, 409, applicant, [
        {
          field: 'email',
          detail:
            'This address already has an account. If you lost its key, ask the operator of this service for a new one.',
        },
      ]);
    case 'client-limit':
    case 'network-limit':
    case 'daily-limit':
      return tooMany(config, reply.outcome, now);
    default:
      throw new Error(`The desk answered a sign-up with ${reply.outcome}.`);
  }
}

function faultyForm(
  config: Config,
  status: 400 | 409,
  typed: Applicant,
  faults: readonly ApplicantFault[],
): Shown {
  return { ...formPage(config, newForm(), typed, faults), status };
}

function tooMany(config: Config, limit: SignupRefusal, now: number): Shown {
  const who = limit === 'daily-limit' ? 'in all' : 'from your network';
  const secondsLeft = Math.ceil(dayMs / 1000 - (now % dayMs) / 1000);
  const note = notePage(config, 429, 'Too many new accounts today', [
    `No more accounts can be created ${who} before midnight UTC. Please come back tomorrow.`,
    'Requests without a key still work, within the anonymous quota.',
  ]);
  return { ...note, headers: { 'Retry-After': String(secondsLeft) } };
}
