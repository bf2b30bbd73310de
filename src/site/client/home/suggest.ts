/**
 * Shows suggestions for the search form: a combobox with a list (ARIA Authoring Practices, "Editable Combobox With List
 * Autocomplete"). Arrows choose, Enter opens the chosen company, Escape closes the list. Without a choice Enter
 * searches.
 */
interface Suggestion {
  readonly lei: string;
  readonly name: string;
  readonly country: string | null;
}

/** A person who keeps typing pauses for less than this. */
const pauseMs = 150;
const charactersMin = 2;

/** The list below the field, and its chosen item. */
class Choices {
  readonly #field: HTMLInputElement;
  readonly #list = document.createElement('ul');
  /** Announces their number to screen readers. */
  readonly #told = document.createElement('p');
  #items: readonly Suggestion[] = [];
  #chosen = -1;

  constructor(input: HTMLInputElement) {
    this.#field = input;
    this.#list.id = 'suggestions';
    this.#list.hidden = true;
    setAll(this.#list, { role: 'listbox', 'aria-label': 'Suggestions' });
    setAll(this.#told, { role: 'status', class: 'unseen' });
    input.parentElement?.append(this.#list, this.#told);
    setAll(input, { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': this.#list.id });
    this.show([]);
    this.#told.textContent = '';
  }

  show(items: readonly Suggestion[]): void {
    this.#items = items;
    this.#list.replaceChildren(...items.map(optionOf));
    this.#list.hidden = items.length === 0;
    this.#field.setAttribute('aria-expanded', String(items.length > 0));
    this.#told.textContent = toldOf(items.length);
    this.#choose(-1);
  }

  close(): void {
    this.show([]);
    this.#told.textContent = '';
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  get chosen(): Suggestion | undefined {
    return this.#items[this.#chosen];
  }

  /** One down or up; beyond either end nothing is chosen. */
  step(by: 1 | -1): void {
    const places = this.#items.length + 1;
    this.#choose(((this.#chosen + 1 + by + places) % places) - 1);
  }

  /** Registers a callback for a pressed item. The field keeps the focus meanwhile. */
  onPressed(open: (item: Suggestion) => void): void {
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => {
      const option = target instanceof Element ? target.closest('[role="option"]') : null;
      const item = option === null ? undefined : this.#items[Array.from(this.#list.children).indexOf(option)];
      if (item !== undefined) open(item);
    });
  }

  #choose(index: number): void {
    this.#chosen = index;
    for (const [place, option] of Array.from(this.#list.children).entries()) {
      option.setAttribute('aria-selected', String(place === index));
    }
    const option = this.#list.children[index];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) this.#field.removeAttribute('aria-activedescendant');
    else this.#field.setAttribute('aria-activedescendant', option.id);
  }
}

function toldOf(count: number): string {
  if (count === 0) return 'No suggestions.';
  return count === 1 ? 'One suggestion.' : `${count} suggestions.`;
}

function optionOf({ lei, name, country }: Suggestion, index: number): HTMLElement {
  const option = document.createElement('li');
  option.id = `suggestion-${index}`;
  setAll(option, { role: 'option', 'aria-selected': 'false' });
  const detail = document.createElement('small');
  detail.textContent = [country && nameOfCountry(country), lei].filter((part) => part !== null).join(' · ');
  option.append(name, ' ', detail);
  return option;
}

const regions = new Intl.DisplayNames('en', { type: 'region' });

function nameOfCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code;
}

function setAll(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** Asks for suggestions; a later text cancels an earlier one. Suggestions for earlier texts are cached. */
class SuggestionRequests {
  readonly #base: string;
  readonly #known = new Map<string, readonly Suggestion[]>();
  #current = new AbortController();

  constructor(basePath: string) {
    this.#base = basePath;
  }

  cancel(): void {
    this.#current.abort();
  }

  /** Null if the answer is no longer wanted. Without an answer, the form works as if there were no script. */
  async ask(text: string): Promise<readonly Suggestion[] | null> {
    this.cancel();
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#current = new AbortController();
    const { signal } = this.#current;
    try {
      const answer = await fetch(`${this.#base}/suggest?q=${encodeURIComponent(text)}`, { signal });
      if (!answer.ok) return [];
      const { items }: { items: readonly Suggestion[] } = await answer.json();
      this.#known.set(text, items);
      return signal.aborted ? null : items;
    } catch {
      return signal.aborted ? null : [];
    }
  }
}

function start(searchForm: HTMLFormElement, input: HTMLInputElement, basePath: string): void {
  const choices = new Choices(input);
  const asking = new SuggestionRequests(basePath);
  const open = ({ lei }: Suggestion) => location.assign(`${basePath}/company/${lei}`);
  let timer = 0;
  const close = () => {
    clearTimeout(timer);
    asking.cancel();
    choices.close();
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    const text = input.value.trim();
    if (Array.from(text).length < charactersMin) return close();
    timer = window.setTimeout(async () => {
      const items = await asking.ask(text);
      if (items !== null) choices.show(items);
    }, pauseMs);
  });
  input.addEventListener('keydown', (event) => {
    if (!choices.isOpen) return;
    if (event.key === 'ArrowDown') choices.step(1);
    else if (event.key === 'ArrowUp') choices.step(-1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && choices.chosen !== undefined) open(choices.chosen);
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', close);
  searchForm.addEventListener('submit', close);
  choices.onPressed(open);
}

const form = document.querySelector<HTMLFormElement>('form.search');
const field = form?.querySelector<HTMLInputElement>('input[name="q"]');
const base = form?.dataset['base'];
if (form && field && base !== undefined) start(form, field, base);
