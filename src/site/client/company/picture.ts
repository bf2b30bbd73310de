/**
 * Runs the picture of the ownership on the page of a company: fetches its data, draws it, and responds to the reader.
 */
import { type Below, svg } from './cards.ts';
import { type Acts, control } from './controls.ts';
import { Drawing } from './drawing.ts';
import { Group, type Kind, kinds, type OwnershipAnswer } from './group.ts';
import { outlineLayout } from './outline-layout.ts';
import { Panel } from './panel.ts';
import { type Box, boxAround, boxOf, neighbour, Places, type ScreenDirection } from './places.ts';
import { type FileKind, save } from './save.ts';
import { companiesMax, Openness, schemeOf } from './scheme.ts';
import { treeLayout } from './tree-layout.ts';
import { View } from './view.ts';
import { count, nameOf } from './words.ts';

/** Companies of each kind that are shown below one when it is opened, and how many each further press adds. */
const firstShown = { tree: 20, outline: 6 } as const;
const shownStep = 100;
/** A narrower stage shows an outline. */
const treeWidthMin = 640;
/** The smallest scale at which a picture is fitted: letters of 13 units are still readable. */
const scaleMin = 0.85;
const outlineHeightMax = 2_400;
const nothingBelow: Below = { total: 0, open: false };

export class Picture implements Acts {
  readonly #stage: HTMLElement;
  readonly #lei: string;
  /** The path below which the pages of companies are. */
  readonly #address: string;
  readonly #panel: Panel;
  readonly #group = new Group();
  readonly #openness = new Openness();
  readonly #drawing = new Drawing();
  readonly #root = svg('svg', { role: 'img' });
  readonly #view: View;
  #places = new Places();
  #chosen: string;

  constructor(figure: HTMLElement, stage: HTMLElement) {
    this.#stage = stage;
    this.#lei = figure.dataset['lei'] ?? '';
    this.#address = figure.dataset['companies'] ?? '';
    this.#chosen = this.#lei;
    this.#panel = new Panel(figure);
    this.#root.append(this.#drawing.layer);
    stage.append(this.#root);
    this.#view = new View(stage, this.#drawing.layer);
    control(figure, stage, this.#view, this);
    addEventListener('beforeprint', () => this.#view.showWhole(this.#root, boxOf(this.#places)));
    addEventListener('afterprint', () => this.#view.showPart(this.#root));
  }

  start(): Promise<void> {
    return this.#do(async () => {
      await this.#open(this.#lei, 'up,down');
      await this.#draw();
      this.fit();
      this.choose(this.#lei);
    });
  }

  choose(lei: string): void {
    this.#chosen = lei;
    this.#drawing.choose(lei);
    const placed = this.#places.companies.find((company) => company.lei === lei);
    if (placed !== undefined) this.#view.reveal(boxAround([placed]));
    const company = this.#group.companies.get(lei);
    this.#panel.tell(lei, company, this.#pageOf(lei), this.#belowOf(lei));
  }

  chooseItself(): void {
    this.choose(this.#lei);
  }

  step(direction: ScreenDirection): void {
    const from = this.#places.companies.find(({ lei }) => lei === this.#chosen);
    const next = from === undefined ? null : neighbour(this.#places.companies, from, direction);
    if (next !== null) this.choose(next.lei);
  }

  toggle(lei = this.#chosen): Promise<void> {
    return this.#do(async () => {
      if (this.#belowOf(lei).total === 0) return;
      const isOpen = this.#openness.isOpen(lei);
      if (isOpen) this.#openness.close(lei);
      else await this.#open(lei, 'down');
      await this.#draw();
      if (!isOpen) this.#reveal(lei);
      this.choose(lei);
    });
  }

  more(lei: string, kind: Kind): Promise<void> {
    return this.#do(async () => {
      this.#openness.more(lei, kind, shownStep);
      await this.#draw();
    });
  }

  /** As many as a picture can show, of all opened ones. */
  showAll(): Promise<void> {
    return this.#do(async () => {
      for (const { lei, kind } of this.#places.more) this.#openness.more(lei, kind, companiesMax);
      await this.#draw();
    });
  }

  openPage(): void {
    const page = this.#pageOf(this.#chosen);
    if (page !== null) location.assign(page);
  }

  fit(): void {
    this.#view.fit(boxOf(this.#places), scaleMin);
  }

  redraw(): Promise<void> {
    return this.#do(async () => {
      await this.#draw();
      this.fit();
    });
  }

  /** What is shown, as a tree even in a narrow window. */
  save(kind: FileKind): Promise<void> {
    return this.#do(async () => {
      const drawing = new Drawing();
      const unseen = svg('svg', { class: 'unseen-picture', 'aria-hidden': 'true' }, drawing.layer);
      this.#stage.append(unseen);
      try {
        const places = treeLayout(this.#group, schemeOf(this.#group, this.#openness, this.#lei));
        await drawing.draw(places, this.#group, () => nothingBelow);
        await save(drawing, boxOf(places), `Ownership of ${this.#nameOf(this.#lei)}`, kind);
      } finally {
        unseen.remove();
      }
    });
  }

  /** Does something that may ask the service, and reports a failure. */
  async #do(act: () => Promise<void>): Promise<void> {
    try {
      this.#panel.say('');
      this.#panel.busy = true;
      await act();
    } catch {
      this.#panel.say(
        'The picture could not be loaded just now. The lists below show the same companies; try again in a minute.',
        true,
      );
    } finally {
      this.#panel.busy = false;
    }
  }

  /** Fetches the companies around one, unless they are known, and shows the first of them. */
  async #open(lei: string, direction: string): Promise<void> {
    if (!this.#group.isAsked(lei)) {
      const response = await fetch(`${this.#address}/${lei}/ownership?direction=${direction}`);
      if (!response.ok) throw new Error(`The service answered ${response.status}.`);
      const answer: OwnershipAnswer = await response.json();
      this.#group.add(answer);
    }
    this.#openness.open(lei, firstShown[this.#shape()]);
  }

  async #draw(): Promise<void> {
    const isTree = this.#shape() === 'tree';
    const scheme = schemeOf(this.#group, this.#openness, this.#lei);
    this.#places = (isTree ? treeLayout : outlineLayout)(this.#group, scheme);
    this.#root.setAttribute('height', String(this.#heightOf(boxOf(this.#places))));
    this.#root.setAttribute('aria-label', this.#describe(scheme.count));
    await this.#drawing.draw(this.#places, this.#group, (lei) => this.#belowOf(lei));
    this.#drawing.choose(this.#chosen);
    // An outline scrolls with the page, so it always has the width of the window.
    if (!isTree) this.fit();
    this.#panel.say(
      scheme.count >= companiesMax ? `A picture shows at most ${count(companiesMax)} companies.` : '',
    );
    this.#stage.dataset['shown'] = String(scheme.count);
  }

  /** As high as the drawing; a tree is no higher than a window, because only an outline scrolls with the page. */
  #heightOf({ width, height }: Box): number {
    const shape = this.#shape();
    const scale = Math.min(1, Math.max(scaleMin, this.#stage.clientWidth / width));
    const most = shape === 'tree' ? Math.max(420, innerHeight * 0.72) : outlineHeightMax;
    return Math.min(Math.max(height * scale, 240), most);
  }

  #shape(): 'tree' | 'outline' {
    return this.#stage.clientWidth >= treeWidthMin ? 'tree' : 'outline';
  }

  /** Scrolls to a company that was opened, with those below it. */
  #reveal(lei: string): void {
    const below = new Set(kinds.flatMap((kind) => this.#group.below(lei, kind).map((link) => link.lei)));
    this.#view.revealAll(
      boxAround(this.#places.companies.filter((each) => each.lei === lei || below.has(each.lei))),
    );
  }

  #describe(shown: number): string {
    const above = this.#places.companies.filter(({ role }) => role === 'above').length;
    const who =
      shown === 1
        ? 'no other company is known'
        : `${count(shown)} companies, ${count(above)} of them above it`;
    return `Ownership of ${this.#nameOf(this.#lei)}: ${who}. The lists below show the same companies.`;
  }

  #nameOf(lei: string): string {
    return nameOf(this.#group.companies.get(lei), lei);
  }

  /** Null for a company without a record here. */
  #pageOf(lei: string): string | null {
    return (this.#group.companies.get(lei)?.name ?? null) === null ? null : `${this.#address}/${lei}`;
  }

  /** Of a company above, only the path down to this one is shown: its own page shows the rest. */
  #belowOf(lei: string): Below {
    if (this.#places.companies.some((each) => each.lei === lei && each.role === 'above')) return nothingBelow;
    const total = kinds.reduce((sum, kind) => sum + this.#group.total(lei, kind), 0);
    return { total, open: this.#openness.isOpen(lei) };
  }
}
