/** Shows texts around the drawing: the chosen company, and what has just happened. */
import type { Below } from './cards.ts';
import type { GroupCompany } from './group.ts';
import { count, factsOf, nameOf } from './words.ts';

export class Panel {
  readonly #figure: HTMLElement;

  constructor(figure: HTMLElement) {
    this.#figure = figure;
  }

  /**
   * Shows the chosen company's data as its card does, with a link to its page.
   * @param address of its page; null if it has none
   */
  tell(lei: string, company: GroupCompany | undefined, address: string | null, below: Below): void {
    const link = this.#part('.chosen-company a');
    link.textContent = nameOf(company, lei);
    if (address === null) link.removeAttribute('href');
    else link.setAttribute('href', address);
    this.#part('.chosen-facts').textContent = factsOf(company);
    const button = this.#part('.chosen-below');
    button.toggleAttribute('hidden', below.total === 0);
    button.textContent = below.open ? 'Hide what is below' : `Show the ${count(below.total)} below`;
  }

  say(text: string, isFault = false): void {
    const place = this.#part('.said');
    place.textContent = text;
    place.classList.toggle('fault', isFault);
  }

  set busy(is: boolean) {
    if (is) this.#figure.setAttribute('aria-busy', 'true');
    else this.#figure.removeAttribute('aria-busy');
  }

  #part(selector: string): Element {
    const part = this.#figure.querySelector(selector);
    if (part === null) throw new Error(`The page has no ${selector}.`);
    return part;
  }
}
