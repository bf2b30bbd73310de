/** Saves the picture as an SVG or a PNG file that looks the same without the page's style sheet. */
import { svg } from './cards.ts';
import type { Drawing } from './drawing.ts';
import type { Box } from './places.ts';

export type FileKind = 'svg' | 'png';

/** Pixels of the image per unit of the picture, if the canvas is large enough. */
const imageScale = 2;
/** Its longest side and its area, in pixels: what every browser's canvas supports, on phones too. */
const imageSideMax = 8_192;
const imageAreaMax = 16_000_000;

/** The styles that are copied. */
const kept = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-weight',
  'font-family',
] as const;

/**
 * @param drawing is in the document, so that its computed style is known
 * @param box of everything in it
 * @param title what the picture shows
 */
export async function save(drawing: Drawing, box: Box, title: string, kind: FileKind): Promise<void> {
  const text = textOf(drawing, box, title);
  const vector = new Blob([text], { type: 'image/svg+xml' });
  const file = kind === 'svg' ? vector : await imageOf(vector, box);
  offer(file, `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.${kind}`);
}

function textOf({ layer }: Drawing, { left, top, width, height }: Box, title: string): string {
  const looks = new Looks();
  const copy = looks.copy(layer);
  copy.removeAttribute('transform');
  const ground = getComputedStyle(layer.ownerSVGElement ?? layer).backgroundColor;
  const whole = svg(
    'svg',
    { viewBox: `${left} ${top} ${width} ${height}`, width, height, role: 'img' },
    svg('title', {}, title),
    svg('rect', { x: left, y: top, width, height, fill: ground }),
    copy,
  );
  return new XMLSerializer().serializeToString(whole);
}

/** Copies the computed styles of elements into copies of them. Elements of the same classes have the same styles. */
class Looks {
  readonly #known = new Map<string, readonly (readonly [string, string])[]>();

  copy(element: Element, path = ''): Element {
    const copy = element.cloneNode(false);
    if (!(copy instanceof Element)) throw new Error('A copy of an element is an element.');
    const own = `${path} ${element.tagName}.${element.getAttribute('class') ?? ''}`;
    for (const [name, value] of this.#of(element, own)) copy.setAttribute(name, value);
    for (const name of ['class', 'data-lei', 'data-press']) copy.removeAttribute(name);
    for (const child of element.childNodes) {
      copy.append(child instanceof Element ? this.copy(child, own) : child.cloneNode(true));
    }
    return copy;
  }

  #of(element: Element, path: string): readonly (readonly [string, string])[] {
    let looks = this.#known.get(path);
    if (looks === undefined) {
      const style = getComputedStyle(element);
      const isDrawn = ['rect', 'path', 'text'].includes(element.tagName);
      looks = isDrawn ? kept.map((name) => [name, style.getPropertyValue(name)] as const) : [];
      this.#known.set(path, looks);
    }
    return looks;
  }
}

async function imageOf(vector: Blob, { width, height }: Box): Promise<Blob> {
  const scale = Math.min(
    imageScale,
    imageSideMax / Math.max(width, height),
    Math.sqrt(imageAreaMax / (width * height)),
  );
  const address = URL.createObjectURL(vector);
  try {
    const image = new Image(width * scale, height * scale);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(width * scale);
    canvas.height = Math.floor(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) =>
        blob === null ? reject(new Error('The canvas gave no image.')) : resolve(blob),
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

function offer(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
