/**
 * Takes what is shown once (`data-once`) out of a page that is left: a browser may keep the page whole, and would show it
 * again on the way back.
 */
addEventListener('pagehide', () => {
  for (const element of document.querySelectorAll('[data-once]'))
    element.textContent = 'This was shown once.';
});
