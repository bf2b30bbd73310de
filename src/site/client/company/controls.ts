/** Connects mouse, keys and buttons to the picture's actions. */
import { type Kind, kinds } from './group.ts';
import type { ScreenDirection } from './places.ts';
import type { FileKind } from './save.ts';
import type { View } from './view.ts';

/** The actions of the reader. */
export interface Acts {
  choose(lei: string): void;
  chooseItself(): void;
  step(direction: ScreenDirection): void;
  /** Shows or hides what is below a company; by default the chosen one. */
  toggle(lei?: string): void;
  more(lei: string, kind: Kind): void;
  showAll(): void;
  openPage(): void;
  fit(): void;
  redraw(): void;
  save(kind: FileKind): void;
}

const zoomStep = 1.3;

/** @param figure contains the stage and the buttons */
export function control(figure: HTMLElement, stage: HTMLElement, view: View, acts: Acts): void {
  const tools: Readonly<Record<string, () => void>> = {
    in: () => view.zoom(zoomStep),
    out: () => view.zoom(1 / zoomStep),
    fit: () => acts.fit(),
    below: () => acts.toggle(),
    more: () => acts.showAll(),
    svg: () => acts.save('svg'),
    png: () => acts.save('png'),
  };
  const keys = keysOf(acts, view);
  stage.addEventListener('click', ({ target }) => {
    if (target instanceof Element && !view.wasDragged) press(target, acts);
  });
  stage.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  figure.addEventListener('click', ({ target }) => {
    const tool = target instanceof Element ? target.closest<HTMLElement>('[data-tool]') : null;
    tools[tool?.dataset['tool'] ?? '']?.();
  });
  followWidth(stage, acts);
}

function keysOf(acts: Acts, view: View): Readonly<Record<string, () => void>> {
  return {
    ArrowUp: () => acts.step('up'),
    ArrowDown: () => acts.step('down'),
    ArrowLeft: () => acts.step('left'),
    ArrowRight: () => acts.step('right'),
    Home: () => acts.chooseItself(),
    Enter: () => acts.toggle(),
    ' ': () => acts.toggle(),
    '+': () => view.zoom(zoomStep),
    '=': () => view.zoom(zoomStep),
    '-': () => view.zoom(1 / zoomStep),
    '0': () => acts.fit(),
    m: () => acts.showAll(),
    o: () => acts.openPage(),
  };
}

/** A press on the pill of a card, on a card that shows more, or on a company. */
function press(target: Element, acts: Acts): void {
  const lei = target.closest<SVGElement>('[data-lei]')?.dataset['lei'];
  const pressed = target.closest<SVGElement>('[data-press]')?.dataset['press'];
  if (lei === undefined) return;
  const kind = kinds.find((each) => each === pressed);
  if (kind !== undefined) acts.more(lei, kind);
  else if (pressed === 'below') acts.toggle(lei);
  else acts.choose(lei);
}

/** The height follows from the drawing, so only a new width needs another drawing. */
function followWidth(stage: HTMLElement, acts: Acts): void {
  let width = stage.clientWidth;
  new ResizeObserver(() => {
    // A folded picture has no width.
    if (stage.clientWidth === width || stage.clientWidth === 0) return;
    width = stage.clientWidth;
    acts.redraw();
  }).observe(stage);
}
