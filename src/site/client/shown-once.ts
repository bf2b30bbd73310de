/**
 * Removes what is shown once (`data-once`) from a page that is left: a browser may keep the whole page, and would show
 * it again on going back.
 */
addEventListener('pagehide', () => {
  for (const element of document.querySelectorAll('[data-once]'))
    element.textContent = 'This was shown once.';
});
