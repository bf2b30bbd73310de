/** Renders the sign-up: the form, the page that shows the key once, and pages that explain a refusal. */
import type { Config } from '../../../config.ts';
import type { Applicant } from '../../../ports/account-directory.ts';
import type { ApplicantFault, ApplicantField } from '../../../state/account.ts';
import { stateLimits } from '../../../state/limits.ts';
import type { Shown } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { notesOf, problemSummary } from '../notes.ts';
import { keyScripts, shownKey } from '../shown-key.ts';
import { count } from '../words.ts';

const nothingTyped: Applicant = { email: '', company: '', use: '' };

/**
 * The form. A form that was refused comes back with the typed values and their faults.
 * @param form the random name of this rendering
 */
export function formPage(
  config: Config,
  form: string,
  typed: Applicant = nothingTyped,
  faults: readonly ApplicantFault[] = [],
): Shown {
  const faultOf = (name: ApplicantField) => faults.find((fault) => fault.field === name)?.detail ?? null;
  const { emailCharactersMax, companyCharactersMax } = stateLimits;
  const content = html`<h1>Get an API key</h1>
<p>${allowances(config)}You get the key as soon as you send this form.</p>
${faults.length > 0 && problemSummary(faults)}<form method="post" action="${config.basePath}/signup">
<input type="hidden" name="form" value="${form}">
${fieldHtml('email', 'E-mail address', 'One account for each address.', faultOf('email'), html`type="email" autocomplete="email" maxlength="${emailCharactersMax}" value="${typed.email}"`)}
${fieldHtml('company', 'Company name', 'The organisation that will use the data.', faultOf('company'), html`type="text" autocomplete="organization" maxlength="${companyCharactersMax}" value="${typed.company}"`)}
${useField(typed.use, faultOf('use'))}
<p class="send"><button type="submit">Create account and show key</button></p>
</form>
<p class="quiet">We keep these three answers for your account. We keep your network address for two days, and only as a keyed hash.</p>`;
  return sheet(faults.length > 0 ? 'Error: Get an API key' : 'Get an API key', content);
}

/** The daily quotas without and with a key; empty if requests are not counted. */
function allowances({ limitsMode, anonymousDaily, accountDaily }: Config): string {
  if (limitsMode === 'off') return '';
  return `Without a key you can make ${count(anonymousDaily)} requests a day. A free account can make ${count(accountDaily)}, over all its keys. `;
}

function fieldHtml(name: string, label: string, hint: string, fault: string | null, control: Html): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<span class="hint" id="${name}-hint">${hint}</span>
${faultHtml(name, fault)}<input id="${name}" name="${name}" ${control} required ${described(name, fault)}>
</div>`;
}

function useField(value: string, fault: string | null): Html {
  return html`<div class="field">
<label for="use">Intended use</label>
<span class="hint" id="use-hint">A sentence is enough: what will you use the data for?</span>
${faultHtml('use', fault)}<textarea id="use" name="use" rows="3" maxlength="${stateLimits.useCharactersMax}" required ${described('use', fault)}>
${value}</textarea>
</div>`;
}

function faultHtml(name: string, fault: string | null): Html | null {
  return fault === null ? null : html`<span class="fault" id="${name}-fault">${fault}</span>\n`;
}

function described(name: string, fault: string | null): Html {
  return fault === null
    ? html`aria-describedby="${name}-hint"`
    : html`aria-describedby="${name}-hint ${name}-fault" aria-invalid="true"`;
}

/** Shows the key. No other page ever does. */
export function keyPage(config: Config, baseUrl: string, email: string, secret: string): Shown {
  const content = html`<h1>Your API key</h1>
<p>The account for <strong>${email}</strong> is ready. This is its first key:</p>
${shownKey(secret, baseUrl)}
<h2>Limits</h2>
${allowanceHtml(config)}
<p><a href="${config.basePath}/account">Your account</a>: what you have used, and further keys · <a href="${config.basePath}/docs">API reference</a></p>`;
  return { ...sheet('Your API key', content), scripts: keyScripts };
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
export const notePage = notesOf('/signup', 'Back to the form');

function sheet(title: string, content: Html): Shown {
  return { title, noindex: true, content: html`<div class="sheet narrow">\n${content}\n</div>` };
}
