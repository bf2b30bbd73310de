/** The picture of the ownership on the page of a company: fetches what it shows, draws it, and follows the reader. */
import type { Below } from './cards.ts';
import { svg } from './cards.ts';
import { Drawing } from './drawing.ts';
import { Group, type Kind, kinds, type OwnershipAnswer } from './group.ts';
import { companiesMax, firstShown } from './limits.ts';
import { outlineLayout } from './outline-layout.ts';
import { boxOf, card, type PlacedCompany, Places } from './places.ts';
import { type FileKind, save } from './save.ts';
import { Openness, schemeOf } from './scheme.ts';
import { type Direction, neighbour } from './steps.ts';
import { treeLayout } from './tree-layout.ts';
import { View } from './view.ts';
import { count, factsOf, nameOf } from './words.ts';

/** A narrower stage shows an outline. */
const treeWidthMin = 640;
/** The smallest scale at which a picture is first shown: letters can still be read. */
const firstScaleMin = { tree: 0.62, outline: 0.85 } as const;
const outlineHeightMax = 2_400;

export class Picture {
  readonly #figure: HTMLElement;
  readonly #stage: HTMLElement;
  readonly #lei: string;
  /** Below which the pages of companies are. */
  readonly #address: string;
  readonly #group = new Group();
  readonly #openness = new Openness();
  readonly #drawing = new Drawing();
  readonly #root = svg('svg', { role: 'img' });
  readonly #view: View;
  #places = new Places();
  #chosen: string;

  constructor(figure: HTMLElement, stage: HTMLElement) {
    this.#figure = figure;
    this.#stage = stage;
    this.#lei = figure.dataset['lei'] ?? '';
    this.#address = figure.dataset['companies'] ?? '';
    this.#chosen = this.#lei;
    this.#root.append(this.#drawing.layer);
    stage.append(this.#root);
    this.#view = new View(stage, this.#drawing.layer);
    this.#openness.open(this.#lei, firstShown[this.#shape()]);
    this.#listen();
  }

  async start(): Promise<void> {
    await this.#do(async () => {
      await this.#learn(this.#lei, 'up,down');
      await this.#draw();
      this.#fit();
      this.#choose(this.#lei);
    });
  }

  /** Does something that may ask the service, and says so where that fails. */
  async #do(act: () => Promise<void>): Promise<void> {
    try {
      this.#say('');
      this.#figure.setAttribute('aria-busy', 'true');
      await act();
    } catch {
      this.#say(
        'The picture could not be loaded just now. The lists below say the same; try again in a minute.',
      );
    } finally {
      this.#figure.removeAttribute('aria-busy');
    }
  }

  async #learn(lei: string, direction: string): Promise<void> {
    if (this.#group.isAsked(lei)) return;
    const response = await fetch(`${this.#address}/${lei}/ownership?direction=${direction}`);
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    const answer: OwnershipAnswer = await response.json();
    this.#group.add(answer);
  }

  async #draw(): Promise<void> {
    const isTree = this.#shape() === 'tree';
    const scheme = schemeOf(this.#group, this.#openness, this.#lei);
    this.#places = (isTree ? treeLayout : outlineLayout)(this.#group, scheme);
    const box = boxOf(this.#places);
    this.#root.setAttribute(
      'height',
      String(isTree ? treeHeight(box.height) : Math.min(box.height, outlineHeightMax)),
    );
    this.#root.setAttribute('aria-label', this.#describe(scheme.count));
    await this.#drawing.draw(this.#places, this.#group, (lei) => this.#belowOf(lei));
    this.#drawing.choose(this.#chosen);
    this.#figure.dataset['shown'] = String(scheme.count);
  }

  #shape(): 'tree' | 'outline' {
    return this.#stage.clientWidth >= treeWidthMin ? 'tree' : 'outline';
  }

  #describe(shown: number): string {
    const whole = shown >= companiesMax ? `, the most that a picture shows` : '';
    const above = this.#places.companies.filter(({ role }) => role === 'above').length;
    return `Ownership of ${this.#nameOf(this.#lei)}: ${count(shown)} companies${whole}, ${count(above)} of them above it. The lists below say the same.`;
  }

  #nameOf(lei: string): string {
    return nameOf(this.#group.companies.get(lei), lei);
  }

  #belowOf(lei: string): Below {
    const total = kinds.reduce((sum, kind) => sum + this.#group.total(lei, kind), 0);
    return { total, open: this.#openness.isOpen(lei) };
  }

  #fit(): void {
    this.#view.fit(boxOf(this.#places), firstScaleMin[this.#shape()]);
  }

  /** Shows or hides the companies below one. */
  #toggle(lei: string): Promise<void> {
    return this.#do(async () => {
      if (this.#openness.isOpen(lei)) {
        this.#openness.close(lei);
      } else {
        await this.#learn(lei, 'down');
        this.#openness.open(lei, firstShown[this.#shape()]);
      }
      await this.#draw();
      this.#choose(lei);
    });
  }

  #more(lei: string, kind: Kind, number?: number): Promise<void> {
    return this.#do(async () => {
      this.#openness.more(lei, kind, number);
      await this.#draw();
    });
  }

  #choose(lei: string): void {
    this.#chosen = lei;
    this.#drawing.choose(lei);
    const placed = this.#placed(lei);
    if (placed !== undefined) {
      this.#view.reveal({ left: placed.x, top: placed.y, width: card.width, height: card.height });
    }
    this.#tell(lei, placed);
  }

  #placed(lei: string): PlacedCompany | undefined {
    return this.#places.companies.find((company) => company.lei === lei);
  }

  /** Says of the chosen company what its card shows, and leads to its page. */
  #tell(lei: string, placed: PlacedCompany | undefined): void {
    const company = this.#group.companies.get(lei);
    const { total, open } = this.#belowOf(lei);
    const link = this.#part('a');
    link.textContent = nameOf(company, lei);
    link.setAttribute('href', `${this.#address}/${lei}`);
    this.#part('.chosen-facts').textContent = factsOf(company);
    const button = this.#part('.chosen-below');
    button.toggleAttribute('hidden', total === 0 || placed?.role === 'above');
    button.textContent = open ? 'Hide what is below' : `Show the ${count(total)} below`;
  }

  #part(selector: string): Element {
    const part = this.#figure.querySelector(`.chosen-company ${selector}`);
    if (part === null) throw new Error(`The page has no ${selector}.`);
    return part;
  }

  #say(text: string): void {
    const place = this.#figure.querySelector('[role=status].said');
    if (place !== null) place.textContent = text;
  }

  #listen(): void {
    this.#stage.addEventListener('click', (event) => this.#pressed(event.target));
    this.#stage.addEventListener('keydown', (event) => this.#key(event));
    this.#figure.addEventListener('click', ({ target }) => {
      const tool =
        target instanceof Element ? target.closest<HTMLElement>('[data-tool]')?.dataset['tool'] : undefined;
      if (tool !== undefined) this.#use(tool);
    });
    let width = this.#stage.clientWidth;
    new ResizeObserver(() => {
      if (this.#stage.clientWidth === width) return;
      width = this.#stage.clientWidth;
      this.#do(async () => {
        await this.#draw();
        this.#fit();
      });
    }).observe(this.#stage);
  }

  #pressed(target: EventTarget | null): void {
    if (!(target instanceof Element) || this.#view.wasDragged) return;
    const lei = target.closest<SVGElement>('[data-lei]')?.dataset['lei'];
    const press = target.closest<SVGElement>('[data-press]')?.dataset['press'];
    if (lei === undefined) return;
    const kind = kinds.find((each) => each === press);
    if (kind !== undefined) this.#more(lei, kind);
    else if (press === 'below') this.#toggle(lei);
    else this.#choose(lei);
  }

  #key(event: KeyboardEvent): void {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : this.#keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    ArrowUp: () => this.#step('up'),
    ArrowDown: () => this.#step('down'),
    ArrowLeft: () => this.#step('left'),
    ArrowRight: () => this.#step('right'),
    Home: () => this.#choose(this.#lei),
    Enter: () => this.#toggleChosen(),
    ' ': () => this.#toggleChosen(),
    '+': () => this.#use('in'),
    '=': () => this.#use('in'),
    '-': () => this.#use('out'),
    '0': () => this.#use('fit'),
    m: () => this.#use('more'),
    o: () => location.assign(`${this.#address}/${this.#chosen}`),
  };

  #step(direction: Direction): void {
    const from = this.#placed(this.#chosen);
    if (from === undefined) return;
    const next = neighbour(this.#places.companies, from, direction);
    if (next !== null) this.#choose(next.lei);
  }

  #toggleChosen(): void {
    const isAbove = this.#placed(this.#chosen)?.role === 'above';
    if (!isAbove && this.#belowOf(this.#chosen).total !== 0) this.#toggle(this.#chosen);
  }

  #use(tool: string): void {
    const tools: Readonly<Record<string, () => void>> = {
      in: () => this.#view.zoom(1.3),
      out: () => this.#view.zoom(1 / 1.3),
      fit: () => this.#view.fit(boxOf(this.#places), 0),
      below: () => this.#toggleChosen(),
      more: () => this.#showAll(),
      svg: () => this.#save('svg'),
      png: () => this.#save('png'),
    };
    tools[tool]?.();
  }

  /** Shows as many as a picture can hold, of all that are open. */
  #showAll(): void {
    this.#do(async () => {
      for (const { lei, kind } of this.#places.more) this.#openness.more(lei, kind, companiesMax);
      await this.#draw();
    });
  }

  /** What is shown, as a tree however narrow the window is. */
  #save(kind: FileKind): Promise<void> {
    return this.#do(async () => {
      const drawing = new Drawing();
      const unseen = svg('svg', { class: 'unseen', 'aria-hidden': 'true' }, drawing.layer);
      this.#stage.append(unseen);
      try {
        const places = treeLayout(this.#group, schemeOf(this.#group, this.#openness, this.#lei));
        await drawing.draw(places, this.#group, () => ({ total: 0, open: false }));
        await save(drawing, boxOf(places), `Ownership of ${this.#nameOf(this.#lei)}`, kind);
      } finally {
        unseen.remove();
      }
    });
  }
}

/** As high as the tree, within what fits a window. */
function treeHeight(height: number): number {
  return Math.min(Math.max(height, 260), Math.max(420, innerHeight * 0.72));
}
