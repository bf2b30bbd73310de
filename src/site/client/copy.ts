/**
 * Copy buttons: `<button data-copy="id" data-told="The key is copied." hidden>` copies the text of the element with
 * that id and says so in the `role="status"` element of the `.copying` around it. Without scripts there are no such
 * buttons.
 */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = document.getElementById(button.dataset['copy'] ?? '');
  if (source !== null) offer(button, source);
}

function offer(button: HTMLButtonElement, source: HTMLElement): void {
  const told = button.closest('.copying')?.querySelector('[role="status"]') ?? null;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const done = await copy(source);
    if (!done) select(source);
    if (told === null) return;
    told.textContent = done
      ? (button.dataset['told'] ?? 'Copied.')
      : 'Your browser does not allow that. The text is selected: copy it with the keyboard.';
  });
}

/** Pages over plain http have no `navigator.clipboard`; there the selected text is copied by `document.execCommand`. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    select(source);
    return document.execCommand('copy');
  }
}

function select(source: HTMLElement): void {
  getSelection()?.selectAllChildren(source);
}
