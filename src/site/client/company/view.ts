/** Controls which part of the picture is visible, and how large: by mouse, fingers, buttons and keys. */
import type { Box, Point } from './places.ts';

const scaleMin = 0.05;
const scaleMax = 3;
/** A box that is shown whole is not made smaller than this scale. */
const readableScale = 0.55;
/** Below this scale, letters are too small to read and are left out. */
const lettersFrom = 0.3;
/** How many pixels a press may move and still count as a press. */
const pressSlack = 5;

export class View {
  readonly #stage: HTMLElement;
  readonly #layer: SVGGElement;
  readonly #fingers = new Map<number, Point>();
  #offset: Point = { x: 0, y: 0 };
  #scale = 1;
  #moved = 0;

  constructor(stage: HTMLElement, layer: SVGGElement) {
    this.#stage = stage;
    this.#layer = layer;
    stage.addEventListener('pointerdown', (event) => this.#down(event));
    stage.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) {
      stage.addEventListener(end, (event) => this.#fingers.delete(event.pointerId));
    }
    stage.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  /** Whether the last press was a drag. */
  get wasDragged(): boolean {
    return this.#moved > pressSlack;
  }

  /** Shows all of a box, or as much of it as is readable. @param scaleLeast the smallest allowed scale */
  fit(box: Box, scaleLeast: number): void {
    const { width, height } = this.#size();
    const scale = Math.min(width / box.width, height / box.height, 1);
    this.#scale = Math.max(scale, scaleLeast);
    const middle = box.left + box.width / 2;
    const fitsAcross = box.width * this.#scale <= width;
    const across = fitsAcross ? width / 2 - middle * this.#scale : width / 2;
    const down =
      scale < this.#scale ? -box.top * this.#scale : (height - box.height * scale) / 2 - box.top * scale;
    this.#show({ x: across, y: down });
  }

  /** Shows a box whole whatever its size, for paper. @param root contains the layer */
  showWhole(root: SVGSVGElement, { left, top, width, height }: Box): void {
    root.setAttribute('viewBox', `${left} ${top} ${width} ${height}`);
    this.#layer.removeAttribute('transform');
    this.#layer.classList.remove('far');
  }

  /** Undoes {@link showWhole}. */
  showPart(root: SVGSVGElement): void {
    root.removeAttribute('viewBox');
    this.#show(this.#offset);
  }

  zoom(factor: number, at = this.#middle()): void {
    const scale = Math.min(Math.max(this.#scale * factor, scaleMin), scaleMax);
    const ratio = scale / this.#scale;
    this.#scale = scale;
    this.#show({ x: at.x - (at.x - this.#offset.x) * ratio, y: at.y - (at.y - this.#offset.y) * ratio });
  }

  /** Shows a box whole, reduced if necessary while letters stay readable. */
  revealAll(box: Box): void {
    const { width, height } = this.#size();
    const scale = Math.max(Math.min(this.#scale, width / box.width, height / box.height), readableScale);
    if (scale < this.#scale) this.zoom(scale / this.#scale);
    this.reveal(box);
  }

  /** Moves the picture as little as necessary, so that a box is visible. */
  reveal(box: Box): void {
    const { width, height } = this.#size();
    this.#show({
      x: inside(this.#offset.x, box.left * this.#scale, box.width * this.#scale, width),
      y: inside(this.#offset.y, box.top * this.#scale, box.height * this.#scale, height),
    });
  }

  #show(offset: Point): void {
    this.#offset = offset;
    this.#layer.setAttribute('transform', `translate(${offset.x} ${offset.y}) scale(${this.#scale})`);
    this.#layer.classList.toggle('far', this.#scale < lettersFrom);
  }

  #size(): { readonly width: number; readonly height: number } {
    return { width: this.#stage.clientWidth, height: this.#stage.clientHeight };
  }

  #middle(): Point {
    const { width, height } = this.#size();
    return { x: width / 2, y: height / 2 };
  }

  #wheel(event: WheelEvent): void {
    // The wheel alone scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), this.#placeOf(event));
  }

  #down(event: PointerEvent): void {
    if (this.#fingers.size === 0) this.#moved = 0;
    this.#fingers.set(event.pointerId, this.#placeOf(event));
  }

  #move(event: PointerEvent): void {
    const before = this.#fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = this.#placeOf(event);
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.#fingers.set(event.pointerId, now);
    this.#moved += distance(before, now);
    if (this.wasDragged) this.#stage.setPointerCapture(event.pointerId);
    const share = other === undefined ? 1 : 0.5;
    this.#show({
      x: this.#offset.x + (now.x - before.x) * share,
      y: this.#offset.y + (now.y - before.y) * share,
    });
    if (other !== undefined) this.zoom(distance(now, other) / (distance(before, other) || 1), other);
  }

  #placeOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.#stage.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The offset nearest to the current one with which a span lies within a length, or in its middle. */
function inside(offset: number, from: number, span: number, length: number): number {
  const room = Math.min(0, (length - span) / 2);
  return Math.min(Math.max(offset, room - from), length - room - from - span);
}
