/** The HTML of the sign-up: the form, the page that shows the key once, and pages that explain a refusal. */
import type { Config } from '../../../config.ts';
import type { Applicant } from '../../../ports/account-directory.ts';
import type { ApplicantFault, ApplicantField } from '../../../state/account.ts';
import { stateLimits } from '../../../state/limits.ts';
import { contactHtml, escapeHtml } from '../page.ts';
import { copyScript } from './copy-script.ts';
import { signupStyle } from './style.ts';

const nothingTyped: Applicant = { email: '', company: '', use: '' };

/**
 * The form. A form that was refused comes back with the typed values and their faults.
 * @param form names this one rendering
 */
export function formPage(
  config: Config,
  form: string,
  typed: Applicant = nothingTyped,
  faults: readonly ApplicantFault[] = [],
): string {
  const field = (name: ApplicantField, label: string, hint: string, control: string) =>
    fieldHtml(name, label, hint, control, faults.find((fault) => fault.field === name)?.detail ?? null);
  const value = (name: ApplicantField) => escapeHtml(typed[name]);
  const content = `<h1>Get an API key</h1>
<p>${allowances(config)}You get the key as soon as you send this form.</p>
${summary(faults)}<form method="post" action="${config.basePath}/signup">
<input type="hidden" name="form" value="${escapeHtml(form)}">
${field('email', 'E-mail address', 'One account for each address.', `type="email" autocomplete="email" maxlength="${stateLimits.emailCharactersMax}" value="${value('email')}"`)}
${field('company', 'Company name', 'The organisation the data is for.', `type="text" autocomplete="organization" maxlength="${stateLimits.companyCharactersMax}" value="${value('company')}"`)}
${useField(value('use'), faults.find((fault) => fault.field === 'use')?.detail ?? null)}
<button type="submit">Create account and show key</button>
</form>
<p class="quiet">We keep these three answers for your account. We keep your network address for two days, and only as a keyed hash.</p>${contactHtml(config.contact)}`;
  return page(faults.length > 0 ? 'Error: Get an API key' : 'Get an API key', content);
}

/** The daily quotas without and with a key; nothing where requests are not counted. */
function allowances({ limitsMode, anonymousDaily, accountDaily }: Config): string {
  if (limitsMode === 'off') return '';
  return `Without a key you can make ${count(anonymousDaily)} requests a day. A free account can make ${count(accountDaily)}, over all its keys. `;
}

function summary(faults: readonly ApplicantFault[]): string {
  if (faults.length === 0) return '';
  const items = faults.map(({ field, detail }) => `<li><a href="#${field}">${escapeHtml(detail)}</a></li>`);
  return `<div class="summary" role="alert"><p><strong>There is a problem</strong></p><ul>${items.join('')}</ul></div>\n`;
}

function fieldHtml(name: string, label: string, hint: string, control: string, fault: string | null): string {
  return `<div class="field">
<label for="${name}">${label}</label>
<span class="hint" id="${name}-hint">${hint}</span>
${faultHtml(name, fault)}<input id="${name}" name="${name}" ${control} required ${described(name, fault)}>
</div>`;
}

function useField(value: string, fault: string | null): string {
  return `<div class="field">
<label for="use">Intended use</label>
<span class="hint" id="use-hint">A sentence is enough: what will you use the data for?</span>
${faultHtml('use', fault)}<textarea id="use" name="use" rows="3" maxlength="${stateLimits.useCharactersMax}" required ${described('use', fault)}>
${value}</textarea>
</div>`;
}

function faultHtml(name: string, fault: string | null): string {
  return fault === null ? '' : `<span class="fault" id="${name}-fault">${escapeHtml(fault)}</span>\n`;
}

function described(name: string, fault: string | null): string {
  return fault === null
    ? `aria-describedby="${name}-hint"`
    : `aria-describedby="${name}-hint ${name}-fault" aria-invalid="true"`;
}

/** Shows the key. No other page ever does. */
export function keyPage(config: Config, baseUrl: string, email: string, secret: string): string {
  const line = `curl -H 'Authorization: Bearer ${secret}' '${baseUrl}/api/v1/search?q=bank'`;
  return page(
    'Your API key',
    `<h1>Your API key</h1>
<p>The account for <strong>${escapeHtml(email)}</strong> is ready. This is its first key:</p>
<div class="copy"><code class="key" id="key">${secret}</code>
<button type="button" id="copy" hidden>Copy the key</button></div>
<p id="copied" role="status"></p>
<p><strong>Copy it now.</strong> We keep only a digest of the key and cannot show it again, even if you reload this page.</p>
<h2>Try it</h2>
<pre id="try">${escapeHtml(line)}</pre>
<h2>Limits</h2>
${allowanceHtml(config)}
<p><a href="${config.basePath}/docs">API reference</a></p>${contactHtml(config.contact)}
<script>${copyScript}</script>`,
  );
}

function allowanceHtml(config: Config): string {
  if (config.limitsMode === 'off') return '<p>This service does not limit requests.</p>';
  return `<ul>
<li>${count(config.accountDaily)} requests a day (UTC)</li>
<li>${count(config.burstLookup)} identifier look-ups a minute</li>
<li>${count(config.burstSearch)} searches, relationships and changes a minute</li>
</ul>
<p>The <code>RateLimit</code> header of every answer tells how many requests are left.</p>`;
}

/** Tells in sentences why there is no key this time. */
export function notePage({ basePath, contact }: Config, title: string, sentences: readonly string[]): string {
  const paragraphs = sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n');
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>\n${paragraphs}\n<p><a href="${basePath}/signup">Back to the form</a></p>${contactHtml(contact)}`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${signupStyle}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

function count(quota: number): string {
  return quota.toLocaleString('en');
}
