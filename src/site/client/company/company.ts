/** Loads the picture of the ownership when its place scrolls into sight. */
const fold = document.querySelector<HTMLDetailsElement>('[data-picture]');
const figure = fold?.querySelector<HTMLElement>('.picture') ?? null;
const stage = figure?.querySelector<HTMLElement>('.stage') ?? null;
/** A narrower window shows the picture as a list, which would repeat the lists below: there the reader unfolds it. */
const wide = '(min-width: 48rem)';

/** The distance from the window, in pixels, at which the picture is loaded. */
const nearness = 400;

if (fold !== null && figure !== null && stage !== null) {
  fold.open = 'open' in fold.dataset && matchMedia(wide).matches;
  fold.hidden = false;
  let drawn: Promise<void> | null = null;
  const draw = () => {
    near.disconnect();
    drawn ??= import('./picture.ts').then(({ Picture }) => new Picture(figure, stage).start());
    return drawn;
  };
  const near = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void draw();
    },
    { rootMargin: `${nearness}px` },
  );
  near.observe(figure);

  // A page can't make its printing wait for the picture, so that the picture is drawn before the printing begins.
  addEventListener('keydown', (event) => {
    if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || !fold.open || drawn !== null) return;
    event.preventDefault();
    void draw().then(() => print());
  });
}
