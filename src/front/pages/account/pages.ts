/** The account page of a signed-in user, and the page that shows a new key once. */
import type { Config } from '../../../config.ts';
import { timestamp } from '../../../lei/dates.ts';
import type { ApiKey, KeyKind } from '../../../ports/account-directory.ts';
import { dayMs, dayOf, type QuotaPolicy } from '../../../ports/ledger.ts';
import { sessionMs } from '../../../ports/sessions.ts';
import type { Shown } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { keyScripts, shownKey, shownToken } from '../shown-key.ts';
import { count } from '../words.ts';
import { timeHtml } from './dates.ts';
import type { AccountView } from './desk.ts';
import { doneNote } from './done.ts';
import { type FormStart, keyList } from './key-list.ts';
import { type BrowserSession, newForm } from './session.ts';
import { everyDay, usageChart, usageTable } from './usage-chart.ts';

/** A key that was just made. */
interface NewKey {
  readonly kind: KeyKind;
  readonly secret: string;
}

/** The settings that the page shows. */
export type AccountSite = Pick<Config, 'basePath' | 'signup' | 'contact' | 'limitsMode'>;

const sheet = 'account/account.css';

interface Signed {
  readonly config: AccountSite;
  readonly session: BrowserSession;
  readonly view: AccountView;
  readonly policy: QuotaPolicy;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What was done before, from the address. */
  readonly done: string | null;
}

export function accountPage(signed: Signed): Shown {
  const { config, session, view, done } = signed;
  const { account, keys } = view;
  const form: FormStart = (
    action,
    fields = {},
  ) => html`<form method="post" action="${config.basePath}/account">
<input type="hidden" name="action" value="${action}"><input type="hidden" name="form" value="${newForm(session)}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}`;
  const content = html`<div class="account-head">
<div><h1>Your account</h1>
<p><strong>${account.email}</strong> · ${account.company}</p></div>
${form('sign-out')}<button type="submit" class="second">Sign out</button></form>
</div>
${doneNote(done, false)}${usageSection(signed)}
<section class="sheet" aria-labelledby="keys"><h2 id="keys">Keys</h2>
${keyList(keys, view.session.keyId, form)}
</section>
<div class="columns">
${limitsSection(signed)}
${dataSection(signed, form)}
</div>`;
  return {
    title: 'Your account',
    content,
    styles: [sheet],
    noindex: true,
    entry: '/account',
  };
}

function usageSection({ config, view, policy, now }: Signed): Html {
  const section = (content: Html) =>
    html`<section class="sheet" aria-labelledby="usage"><h2 id="usage">Usage</h2>\n${content}\n</section>`;
  if (config.limitsMode === 'off') return section(html`<p>This service does not count requests.</p>`);
  const days = everyDay(view.usage, dayOf(now));
  const { lookup = 0, search = 0 } = days.at(-1) ?? {};
  const used = lookup + search;
  return section(html`<p><strong>${count(used)}</strong> of ${count(policy.daily)} requests used today: ${count(lookup)} look-ups, ${count(search)} searches.</p>
<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${shareOf(used, policy.daily)}" height="1"/></svg>
<h3>The last ${days.length} days</h3>
${usageChart(days, policy.daily)}
<details><summary>Show as a table</summary>
${usageTable(days)}
</details>
<p class="quiet">Days are UTC days. In a batch, each value counts. Refused requests do not count.</p>`);
}

/** In hundredths, at most the whole. */
function shareOf(used: number, daily: number): number {
  return Math.min(100, Math.round((used * 10_000) / Math.max(1, daily)) / 100);
}

function limitsSection({ config, policy, now }: Signed): Html {
  const midnight = timestamp(new Date((dayOf(now) + 1) * dayMs));
  const limits = html`<dl class="facts">
<div><dt>Requests a day, over all keys</dt><dd>${count(policy.daily)}</dd></div>
<div><dt>Look-ups in 60 seconds</dt><dd>${count(policy.lookup)}</dd></div>
<div><dt>Searches in 60 seconds</dt><dd>${count(policy.search)}</dd></div>
</dl>
<p class="quiet">The next day begins at ${timeHtml(midnight)}.</p>`;
  return html`<section class="sheet" aria-labelledby="limits"><h2 id="limits">Limits</h2>
${config.limitsMode === 'off' ? html`<p>This service does not limit requests.</p>` : limits}
</section>`;
}

function dataSection({ config, view }: Signed, form: FormStart): Html {
  const { account, session } = view;
  const until = timestamp(new Date(session.openedAt + sessionMs));
  return html`<section class="sheet" aria-labelledby="data"><h2 id="data">Your data</h2>
<dl class="facts">
<div><dt>Account</dt><dd><code>${account.id}</code></dd></div>
<div><dt>Created</dt><dd>${timeHtml(account.createdAt)}</dd></div>
<div><dt>Intended use</dt><dd>${account.use}</dd></div>
<div><dt>Signed in until</dt><dd>${timeHtml(until)}</dd></div>
</dl>
<p><a href="${config.basePath}/account/data.json" download>Download all your data as JSON</a></p>
<details><summary>Delete the account</summary>
<p>The account with your e-mail address, company and intended use, and its keys are deleted at once. Programs that use its keys are refused. This cannot be undone.</p>
${form('delete-account')}
<p><label class="tick"><input type="checkbox" name="confirm" value="yes" required> Yes, delete my account for good</label></p>
<button type="submit" class="danger">Delete my account</button>
</form>
</details>
</section>`;
}

/** Shows a new key. No other page ever does. */
export function keyPage(config: AccountSite, baseUrl: string, { name }: ApiKey, made: NewKey): Shown {
  const title = made.kind === 'api' ? 'Your new API key' : 'Your new token';
  const content = html`<div class="sheet narrow">
<h1>${title}</h1>
${name !== null && html`<p>Its name is <strong>${name}</strong>.</p>\n`}${made.kind === 'api' ? shownKey(made.secret, baseUrl) : shownToken(made.secret, baseUrl)}
<p><a href="${config.basePath}/account">Back to your account</a></p>
</div>`;
  return { title, content, scripts: keyScripts, styles: [sheet], noindex: true, entry: '/account' };
}
