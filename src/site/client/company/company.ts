/** Loads the picture of the ownership when its place scrolls into sight. */
const figure = document.querySelector<HTMLElement>('[data-picture]');
const stage = figure?.querySelector<HTMLElement>('.stage') ?? null;

/** The distance from the window, in pixels, at which the picture is loaded. */
const nearness = 400;

if (figure !== null && stage !== null) {
  figure.hidden = false;
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
