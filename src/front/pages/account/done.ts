/** Says at the top of the account page what the last form has done. */
import { type Html, html } from '../html.ts';

/** By the value of `done` in the address. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['key-named', 'The key has its new name.'],
  ['key-revoked', 'The key is revoked. The service refuses it from now on.'],
  ['signed-out', 'You are signed out.'],
  ['account-deleted', 'Your account and its keys are deleted.'],
]);

/** @param ended whether the browser's session has ended */
export function doneNote(done: string | null, ended: boolean): Html | null {
  const told = [
    sentences.get(done ?? ''),
    ended ? 'Your session has ended. Sign in again to go on.' : undefined,
  ];
  const texts = told.filter((text) => text !== undefined);
  return texts.length === 0
    ? null
    : html`<div class="note" role="status">${texts.map((text) => html`<p>${text}</p>`)}</div>\n`;
}
