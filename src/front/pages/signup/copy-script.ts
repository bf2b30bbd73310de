/** The script of the page that shows a key: a button that copies it. Without scripts the page has no button. */
import { createHash } from 'node:crypto';

/** Pages over plain http have no `navigator.clipboard`; there the selected key is copied the older way. */
export const copyScript = `
const key = document.getElementById('key');
const button = document.getElementById('copy');
const told = document.getElementById('copied');
function select() {
  getSelection().selectAllChildren(key);
}
async function copy() {
  try {
    await navigator.clipboard.writeText(key.textContent);
    return true;
  } catch {
    select();
    return document.execCommand('copy');
  }
}
button.hidden = false;
button.addEventListener('click', async () => {
  const done = await copy();
  if (!done) select();
  told.textContent = done ? 'The key is copied.' : 'Your browser does not allow that. The key is selected: copy it with the keyboard.';
});
`;

/** The content security policy allows this one inline script by its hash. */
export const copyScriptHash = `sha256-${createHash('sha256').update(copyScript).digest('base64')}`;
