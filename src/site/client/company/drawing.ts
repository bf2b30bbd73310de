/** Draws places as SVG, a few cards at a time so that the browser stays responsive, and reuses what stays the same. */
import { type Below, companyCard, headingText, moreCard, noteCard, svg } from './cards.ts';
import type { Group } from './group.ts';
import type { LineStyle, Places, Point } from './places.ts';

/** Companies that are drawn between two turns of the browser's event loop. */
const drawnAtOnce = 40;

/** The last one is drawn above the others if they overlap. */
const styles: readonly LineStyle[] = ['branch', 'fund', 'ultimate', 'direct'];

/** One thing to draw. Two of the same key and text look alike. */
interface DrawnItem {
  readonly key: string;
  readonly look: string;
  readonly at: Point;
  make(): SVGGElement;
}

interface DrawnElement {
  readonly element: SVGGElement;
  readonly look: string;
}

export class Drawing {
  readonly layer = svg('g');
  readonly #lines = svg('g', { class: 'lines' });
  readonly #cards = svg('g');
  readonly #paths: Readonly<Record<LineStyle, SVGPathElement>>;
  readonly #drawn = new Map<string, DrawnElement>();
  #turn = 0;

  constructor() {
    const path = (style: LineStyle) => svg('path', { class: style });
    this.#paths = {
      direct: path('direct'),
      ultimate: path('ultimate'),
      fund: path('fund'),
      branch: path('branch'),
    };
    this.#lines.append(...styles.map((style) => this.#paths[style]));
    this.layer.append(this.#lines, this.#cards);
  }

  /** Draws everything. @param belowOf what each card says about the companies below it */
  async draw(places: Places, group: Group, belowOf: (lei: string) => Below): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const items = itemsOf(places, group, belowOf);
    this.#forget(new Set(items.map(({ key }) => key)));
    for (const style of styles) {
      const paths = places.lines.filter((line) => line.style === style).map(({ path }) => path);
      this.#paths[style].setAttribute('d', paths.join(''));
    }
    for (const [index, item] of items.entries()) {
      if (index % drawnAtOnce === drawnAtOnce - 1) await nextTurn();
      // A newer drawing has replaced this one.
      if (turn !== this.#turn) return;
      this.#put(item);
    }
  }

  /** Marks one card as chosen. */
  choose(lei: string): void {
    for (const element of this.#cards.querySelectorAll('.chosen')) element.classList.remove('chosen');
    this.#drawn.get(lei)?.element.classList.add('chosen');
  }

  #put({ key, look, at, make }: DrawnItem): void {
    const known = this.#drawn.get(key);
    const element = known?.look === look ? known.element : make();
    element.setAttribute('transform', `translate(${at.x} ${at.y})`);
    if (known?.element === element) return;
    if (known?.element.classList.contains('chosen')) element.classList.add('chosen');
    known?.element.remove();
    this.#cards.append(element);
    this.#drawn.set(key, { element, look });
  }

  #forget(keys: ReadonlySet<string>): void {
    for (const [key, { element }] of this.#drawn) {
      if (keys.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
  }
}

function itemsOf(places: Places, group: Group, belowOf: (lei: string) => Below): readonly DrawnItem[] {
  const companies = places.companies.map((placed): DrawnItem => {
    const below = belowOf(placed.lei);
    const company = group.companies.get(placed.lei);
    const look = `${placed.role} ${placed.label} ${below.total} ${below.open} ${company?.name}`;
    return { key: placed.key, look, at: placed, make: () => companyCard(placed, company, below) };
  });
  const more = places.more.map(
    (placed): DrawnItem => ({
      key: placed.key,
      look: String(placed.count),
      at: placed,
      make: () => moreCard(placed),
    }),
  );
  const texts = (list: Places['notes'], make: typeof noteCard) =>
    list.map(
      (placed): DrawnItem => ({ key: placed.key, look: placed.text, at: placed, make: () => make(placed) }),
    );
  return [...companies, ...more, ...texts(places.notes, noteCard), ...texts(places.headings, headingText)];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
