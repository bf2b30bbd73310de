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
  const near = new IntersectionObserver(
    async (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      near.disconnect();
      const { Picture } = await import('./picture.ts');
      await new Picture(figure, stage).start();
    },
    { rootMargin: `${nearness}px` },
  );
  near.observe(figure);
}
