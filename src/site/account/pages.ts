/** The account page of a signed-in user, the page that shows a new key once, and the file with all data. */
import type { AccountReply, AccountView } from '../../accounts/desk/account-desk.ts';
import { type Html, html } from '../../html/html.ts';
import { facts } from '../../html/parts.ts';
import { count } from '../../html/words.ts';
import { timestamp } from '../../lei/dates.ts';
import { dayMs, dayOf, type QuotaPolicy } from '../../ports/ledger.ts';
import { sessionMs } from '../../ports/sessions.ts';
import type { SentPage, ShownPage } from '../definition.ts';
import { keyScripts, narrowSheet, shownKey, shownToken } from '../shared-parts.ts';
import { timeHtml } from './dates.ts';
import { type FormStart, keyList } from './key-list.ts';
import { type AccountSite, doneNote } from './note-pages.ts';
import { type BrowserSession, newForm } from './session.ts';
import { everyDay, usageChart, usageTable } from './usage-chart.ts';

const sheet = 'account/account.css';

/** The pages of a signed-in user are made from this. */
export interface SignedInParts {
  readonly config: AccountSite;
  readonly session: BrowserSession;
  readonly view: AccountView;
  readonly policy: QuotaPolicy;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The last action, from `done` in the address. */
  readonly done: string | null;
}

export function accountPage(signed: SignedInParts): ShownPage {
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
${doneNote(done, false)}${section('usage', 'Usage', usage(signed))}
${section('keys', 'Keys', keyList(keys, view.session.keyId, form))}
<div class="columns">
${section('limits', 'Limits', limits(signed))}
${section('data', 'Your data', storedData(signed, form))}
</div>`;
  return {
    title: 'Your account',
    content,
    styles: [sheet],
    noindex: true,
    entry: '/account',
    signedIn: true,
  };
}

function section(id: string, title: string, content: Html): Html {
  return html`<section class="sheet" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${content}\n</section>`;
}

function usage({ config, view, policy, now }: SignedInParts): Html {
  if (config.limitsMode === 'off') return html`<p>This service does not count requests.</p>`;
  const days = everyDay(view.usage, dayOf(now));
  const { lookup = 0, search = 0 } = days.at(-1) ?? {};
  const used = lookup + search;
  return html`<p><strong>${count(used)}</strong> of ${count(policy.daily)} requests used today: ${count(lookup)} look-ups, ${count(search)} searches.</p>
<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${shareOf(used, policy.daily)}" height="1"/></svg>
<h3>The last ${days.length} days</h3>
${usageChart(days, policy.daily)}
<details><summary>Show as a table</summary>
${usageTable(days)}
</details>
<p class="quiet">Days are UTC days. In a batch, each value counts. Refused requests do not count.</p>`;
}

/** In hundredths, at most the whole. */
function shareOf(used: number, daily: number): number {
  return Math.min(100, Math.round((used * 10_000) / Math.max(1, daily)) / 100);
}

function limits({ config, policy, now }: SignedInParts): Html {
  if (config.limitsMode === 'off') return html`<p>This service does not limit requests.</p>`;
  const midnight = timestamp(new Date((dayOf(now) + 1) * dayMs));
  return html`${facts([
    ['Requests a day, over all keys', count(policy.daily)],
    ['Look-ups in 60 seconds', count(policy.lookup)],
    ['Searches in 60 seconds', count(policy.search)],
  ])}
<p class="quiet">The next day begins at ${timeHtml(midnight)}.</p>`;
}

function storedData({ config, view }: SignedInParts, form: FormStart): Html {
  const { account, session } = view;
  const until = timestamp(new Date(session.openedAt + sessionMs));
  return html`${facts([
    ['Account', html`<code>${account.id}</code>`],
    ['Created', timeHtml(account.createdAt)],
    ['Intended use', account.use],
    ['Signed in until', timeHtml(until)],
  ])}
<p><a href="${config.basePath}/account/data.json" download>Download all your data as JSON</a></p>
<details><summary>Delete the account</summary>
<p>The account with your e-mail address, company and intended use, and its keys are deleted at once. Programs that use its keys are refused. This cannot be undone.</p>
${form('delete-account')}
<p><label class="tick"><input type="checkbox" name="confirm" value="yes" required> Yes, delete my account for good</label></p>
<button type="submit" class="danger">Delete my account</button>
</form>
</details>`;
}

/** Shows a new key. No other page ever does. */
export function keyPage(
  { basePath }: AccountSite,
  baseUrl: string,
  { key: { name }, kind, secret }: AccountReply & { outcome: 'key-created' },
): ShownPage {
  const [title, shown] = kind === 'api' ? ['Your new API key', shownKey] : ['Your new token', shownToken];
  const content = html`${name !== null && html`<p>Its name is <strong>${name}</strong>.</p>\n`}${shown(secret, baseUrl)}
<p><a href="${basePath}/account">Back to your account</a></p>`;
  return {
    title,
    content: narrowSheet(title, content),
    scripts: keyScripts,
    styles: [sheet],
    noindex: true,
    entry: '/account',
    signedIn: true,
  };
}

/** `/account/data.json`: everything that the service stores about an account, for its holder. */
export function dataFile({ view, policy }: SignedInParts): SentPage {
  const { account, keys, usage } = view;
  const { id, email, company, use, createdAt } = account;
  const data = {
    account: { id, email, company, use, createdAt },
    limits: { daily: policy.daily, lookupsPerMinute: policy.lookup, searchesPerMinute: policy.search },
    keys: keys.map(({ accountId: _, ...key }) => key),
    usage: usage.map(({ day, lookup, search }) => ({
      date: timestamp(new Date(day * dayMs)).slice(0, 10),
      lookups: lookup,
      searches: search,
    })),
  };
  return {
    status: 200,
    contentType: 'application/json',
    body: `${JSON.stringify(data, null, 2)}\n`,
    headers: { 'Content-Disposition': 'attachment; filename="lei-account.json"' },
  };
}
