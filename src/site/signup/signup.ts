/**
 * `/signup`: creates an account and shows its first key, once. It works without scripts.
 *
 * A form has a random name, which distinguishes a form sent twice (a reload, a double click, the back button) from a
 * taken e-mail address. The name is public and gives no rights.
 */
import { randomBytes } from 'node:crypto';
import type { FrontAccess } from '../../accounts/access/access.ts';
import type { AccountDesk, AccountReply } from '../../accounts/desk/account-desk.ts';
import { type ApplicantFault, type ApplicantField, checkApplicant } from '../../accounts/state/account.ts';
import { stateLimits } from '../../accounts/state/limits.ts';
import type { Config } from '../../config.ts';
import { type Html, html } from '../../html/html.ts';
import { count } from '../../html/words.ts';
import type { Applicant, SignupRefusal } from '../../ports/account-directory.ts';
import { dayMs } from '../../ports/ledger.ts';
import type { PageDefinition, ShownPage, Visit } from '../definition.ts';
import { readFields } from '../form-fields.ts';
import { keyScripts, narrowSheet, notesOf, problemSummary, shownKey } from '../shared-parts.ts';

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
    units: () => 0,
    countsForDay: false,
    personal: true,
    answer: (visit) =>
      visit.request.method === 'POST' ? submit(parts, visit) : formPage(parts.config, emptyForm),
  };
}

async function submit({ config, desk, access }: SignupParts, visit: Visit): Promise<ShownPage> {
  const { peer, clock } = visit;
  const reading = await readFields(visit);
  if (!reading.ok) return notePage(visit, reading.status, 'The form could not be read', [reading.detail]);
  const typed = applicantIn(reading.fields);
  const check = checkApplicant(typed);
  if (!check.ok) return formPage(config, { status: 400, typed, faults: check.faults });
  const now = clock();
  const origin = access.signupOrigin(peer, visit.request.headers.get('x-forwarded-for'), now);
  const request = { form: formIn(reading.fields), applicant: check.value, origin, now };
  const reply = await desk({ ask: 'sign-up', ...request });
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

function replyPage(config: Config, visit: Visit, typed: Applicant, reply: AccountReply): ShownPage {
  switch (reply.outcome) {
    case 'created':
      return keyPage(config, visit.baseUrl, reply.account.email, reply.secret);
    case 'already-sent':
      return notePage(visit, 409, 'This form was sent already', [
        'The account was created, and the next page showed its key once. The key cannot be shown again.',
        'If you could not copy it, ask the operator of this service for a new key.',
      ]);
    case 'address-taken':
      return formPage(config, { status: 409, typed, faults: [addressTaken] });
    case 'client-limit':
    case 'network-limit':
    case 'daily-limit':
      return tooMany(visit, reply.outcome);
    default:
      throw new Error(`The desk answered a sign-up with ${reply.outcome}.`);
  }
}

const addressTaken: ApplicantFault = {
  field: 'email',
  detail:
    'This address already has an account. If you lost its key, ask the operator of this service for a new one.',
};

function tooMany(visit: Visit, limit: SignupRefusal): ShownPage {
  const who = limit === 'daily-limit' ? 'in all' : 'from your network';
  const secondsLeft = Math.ceil(dayMs / 1000 - (visit.clock() % dayMs) / 1000);
  const note = notePage(visit, 429, 'Too many new accounts today', [
    `No more accounts can be created ${who} before midnight UTC. Please come back tomorrow.`,
    'Requests without a key still work, within the anonymous quota.',
  ]);
  return { ...note, headers: { 'Retry-After': String(secondsLeft) } };
}

/** A form to fill in. One that was refused comes back with the typed values and their faults. */
interface Form {
  readonly status: 200 | 400 | 409;
  readonly typed: Applicant;
  readonly faults: readonly ApplicantFault[];
}

const emptyForm: Form = { status: 200, typed: { email: '', company: '', use: '' }, faults: [] };

function formPage(config: Config, { status, typed, faults }: Form): ShownPage {
  const { emailCharactersMax, companyCharactersMax, useCharactersMax } = stateLimits;
  const field = fieldsWith(faults);
  const heading = 'Get an API key';
  const content = html`<p>${allowances(config)}You get the key as soon as you send this form.</p>
${faults.length > 0 && problemSummary(faults)}<form method="post" action="${config.basePath}/signup">
<input type="hidden" name="form" value="${randomBytes(16).toString('base64url')}">
${field('email', 'E-mail address', 'One account for each address.', (own, common) => html`<input ${own} type="email" autocomplete="email" maxlength="${emailCharactersMax}" value="${typed.email}" ${common}>`)}
${field('company', 'Company name', 'The organisation that will use the data.', (own, common) => html`<input ${own} type="text" autocomplete="organization" maxlength="${companyCharactersMax}" value="${typed.company}" ${common}>`)}
${field('use', 'Intended use', 'A sentence is enough: what will you use the data for?', (own, common) => html`<textarea ${own} rows="3" maxlength="${useCharactersMax}" ${common}>\n${typed.use}</textarea>`)}
<p class="send"><button type="submit">Create account and show key</button></p>
</form>
<p class="quiet">We keep these three answers for your account. We keep your network address for two days, and only as a keyed hash.</p>`;
  const title = faults.length > 0 ? `Error: ${heading}` : heading;
  return { status, title, noindex: true, content: narrowSheet(heading, content) };
}

/** The daily quotas without and with a key; empty if requests are not counted. */
function allowances({ limitsMode, anonymousDaily, accountDaily }: Config): string {
  if (limitsMode === 'off') return '';
  return `Without a key you can make ${count(anonymousDaily)} requests a day. A free account can make ${count(accountDaily)}, over all its keys. `;
}

/**
 * @returns a function that makes a required field with its hint and its fault. The control gets its name, and what all
 * controls have.
 */
function fieldsWith(faults: readonly ApplicantFault[]) {
  return (
    name: ApplicantField,
    label: string,
    hint: string,
    control: (own: Html, common: Html) => Html,
  ): Html => {
    const fault = faults.find(({ field }) => field === name)?.detail;
    const own = html`id="${name}" name="${name}"`;
    const common =
      fault === undefined
        ? html`required aria-describedby="${name}-hint"`
        : html`required aria-describedby="${name}-hint ${name}-fault" aria-invalid="true"`;
    return html`<div class="field">
<label for="${name}">${label}</label>
<span class="hint" id="${name}-hint">${hint}</span>
${fault !== undefined && html`<span class="fault" id="${name}-fault">${fault}</span>\n`}${control(own, common)}
</div>`;
  };
}

/** Shows the key. No other page ever does. */
function keyPage(config: Config, baseUrl: string, email: string, secret: string): ShownPage {
  const title = 'Your API key';
  const content = html`<p>The account for <strong>${email}</strong> is ready. This is its first key:</p>
${shownKey(secret, baseUrl)}
<h2>Limits</h2>
${allowanceHtml(config)}
<p><a href="${config.basePath}/account">Your account</a>: what you have used, and further keys · <a href="${config.basePath}/docs">API reference</a></p>`;
  return { title, content: narrowSheet(title, content), scripts: keyScripts, noindex: true };
}

function allowanceHtml(config: Config): Html {
  if (config.limitsMode === 'off') return html`<p>This service does not limit requests.</p>`;
  return html`<ul>
<li>${count(config.accountDaily)} requests a day (UTC)</li>
<li>${count(config.burstLookup)} identifier look-ups a minute</li>
<li>${count(config.burstSearch)} searches, relationships and changes a minute</li>
</ul>
<p>The <code>RateLimit</code> header of every answer shows how many requests are left.</p>`;
}

/** Explains in sentences why there is no key this time. */
const notePage = notesOf('/signup', 'Back to the form');
