/** Shows the keys of an account, each with its possible changes, and the form for a further one. */
import { stateLimits } from '../../accounts/state/limits.ts';
import { type Html, html } from '../../html/html.ts';
import type { ApiKey } from '../../ports/account-directory.ts';
import { timeHtml } from './dates.ts';

/** @returns the opening tag and the hidden fields of a form that asks for a change */
export type FormStart = (action: string, fields?: Readonly<Record<string, string>>) => Html;

/** @param signedInWith the key that opened the session */
export function keyList(keys: readonly ApiKey[], signedInWith: string, form: FormStart): Html {
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null);
  return html`<ul class="keys">
${active.map((key) => keyItem(key, key.id === signedInWith, form))}</ul>
${newKeyForm(active.length, form)}
${
  revoked.length > 0 &&
  html`<details>
<summary>Revoked keys (${revoked.length})</summary>
<ul class="keys">
${revoked.toReversed().map(revokedItem)}</ul>
</details>`
}`;
}

function keyItem(key: ApiKey, isOwn: boolean, form: FormStart): Html {
  const name = nameOf(key);
  return html`<li>
<div class="key-head"><h3>${name}</h3> ${isOwn && html`<span class="badge plain">used for this session</span>`}</div>
${factsOf(key)}
<div class="key-actions">
<details><summary>Rename<span class="unseen"> ${name}</span></summary>
${form('name-key', { key: key.id })}
<label for="name-${key.id}">New name</label>
<input id="name-${key.id}" name="name" type="text" autocomplete="off" maxlength="${stateLimits.keyNameCharactersMax}" value="${key.name ?? ''}">
<button type="submit" class="second">Save name</button>
</form></details>
<details><summary>Revoke<span class="unseen"> ${name}</span></summary>
<p>Programs that use this key are refused from then on. ${isOwn ? 'You signed in with it, so you will be signed out. ' : ''}A revoked key never works again.</p>
${form('revoke-key', { key: key.id })}
<button type="submit" class="danger" aria-label="Revoke this key: ${name}">Revoke this key</button>
</form></details>
</div>
</li>
`;
}

function revokedItem(key: ApiKey): Html {
  return html`<li>
<div class="key-head"><h3>${nameOf(key)}</h3> <span class="badge plain">revoked</span></div>
${factsOf(key)}
</li>
`;
}

function factsOf({ prefix, createdAt, lastUsedAt, revokedAt }: ApiKey): Html {
  return html`<dl class="key-facts">
<div><dt>Key</dt><dd><code>${prefix}…</code></dd></div>
<div><dt>Created</dt><dd>${timeHtml(createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${lastUsedAt === null ? 'never' : timeHtml(lastUsedAt)}</dd></div>
${revokedAt !== null && html`<div><dt>Revoked</dt><dd>${timeHtml(revokedAt)}</dd></div>\n`}</dl>`;
}

function newKeyForm(active: number, form: FormStart): Html {
  const max = stateLimits.activeKeysPerAccountMax;
  if (active >= max) {
    return html`<p class="quiet">Your account has ${max} active keys, which is the maximum. Revoke one to create another.</p>`;
  }
  return html`${form('create-key')}
<h3>Create another key</h3>
<p class="quiet">The next page shows the key once. The name is optional and only helps you to tell your keys apart.</p>
<div class="line">
<div><label for="new-name">Name</label><input id="new-name" name="name" type="text" autocomplete="off" maxlength="${stateLimits.keyNameCharactersMax}"></div>
<div><label for="new-kind">For</label><select id="new-kind" name="kind"><option value="api">programs: an API key</option><option value="reconcile">OpenRefine: a token that can only reconcile</option></select></div>
<button type="submit">Create key</button>
</div>
</form>`;
}

function nameOf({ name }: ApiKey): string {
  return name ?? 'Key without a name';
}
