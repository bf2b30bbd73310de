/** The guides: pages of the folder `docs` for those who use a service, at `/docs/…`, and the search among them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from '../../html/html.ts';
import type { FileDefinition, PageDefinition, ShownPage, Visit } from '../definition.ts';
import { dataPage } from '../definition.ts';
import type { Site } from '../layout.ts';
import { renderMarkdown, type Section } from './markdown.ts';

interface Guide {
  /** Last part of its address. */
  readonly slug: string;
  /** Its file in the folder `docs`. */
  readonly file: string;
  readonly title: string;
  /** The content of the guide, in half a sentence. */
  readonly about: string;
}

export const guides: readonly Guide[] = [
  {
    slug: 'use-the-api',
    file: 'use-the-api.md',
    title: 'Use the API',
    about: 'first calls, keys and quotas, and a cookbook of tasks',
  },
  {
    slug: 'bulk',
    file: 'bulk.md',
    title: 'Bulk',
    about: 'many companies at once, matching of names, exports, and following changes',
  },
  {
    slug: 'coming-from-gleif',
    file: 'gleif-api.md',
    title: 'Coming from GLEIF',
    about: 'what to change in a client of GLEIF’s API, what is better here and what is missing',
  },
  {
    slug: 'reconcile',
    file: 'reconcile.md',
    title: 'Reconcile',
    about: 'match a table in OpenRefine or another client of the Reconciliation Service API',
  },
  {
    slug: 'assistants',
    file: 'mcp.md',
    title: 'Assistants',
    about: 'the data as tools of the Model Context Protocol',
  },
  {
    slug: 'glossary',
    file: 'glossary.md',
    title: 'Glossary',
    about: 'every member of the answers, and every code',
  },
];

const folder = join(import.meta.dir, '..', '..', '..', 'docs');

interface Rendering {
  readonly guide: Guide;
  readonly title: string;
  readonly content: Html;
  readonly sections: readonly Section[];
}

/** @param baseUrl stands in the examples */
function render(guide: Guide, baseUrl: string, { basePath }: Site): Rendering {
  const source = readFileSync(join(folder, guide.file), 'utf8');
  const linkTo = (target: string) => addressOf(target, basePath);
  return { guide, ...renderMarkdown(source, { baseUrl, linkTo }) };
}

/** Pages that the service does not show are for its operators. */
function addressOf(target: string, basePath: string): string | null {
  if (target.startsWith('#') || target.startsWith('https://')) return target;
  if (target.startsWith('/')) return basePath + target;
  const [file = '', fragment] = target.split('#');
  const guide = guides.find((each) => each.file === file);
  if (guide === undefined) return null;
  return `${basePath}/docs/${guide.slug}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The pages of the guides, and the search among them. */
interface GuidePages {
  readonly files: readonly FileDefinition[];
  readonly search: PageDefinition;
}

/** Each guide is rendered once, when its page or the search needs it. */
export function guidePages(site: Site, baseUrl: () => string): GuidePages {
  const known = new Map<Guide, Rendering>();
  const rendered = (guide: Guide): Rendering => {
    const rendering = known.get(guide) ?? render(guide, baseUrl(), site);
    known.set(guide, rendering);
    return rendering;
  };
  const files = guides.map((guide) => ({
    path: `/docs/${guide.slug}`,
    make: () => guidePage(rendered(guide), site),
  }));
  return { files, search: guideSearch(() => guides.map(rendered), site) };
}

function guidePage({ guide, title, content, sections }: Rendering, site: Site): ShownPage {
  return {
    title,
    content: html`<article class="sheet guide">
<h1>${title}</h1>
${contentsOf(sections)}${content}</article>
${guideLinks(site, guide)}`,
    scripts: ['copy.js'],
    styles: ['guide.css'],
    entry: '/docs',
  };
}

/** Links to the parts of a page. */
function contentsOf([, ...sections]: readonly Section[]): Html | null {
  if (sections.length < 3) return null;
  const items = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`);
  return html`<nav class="contents" aria-label="On this page"><ul>\n${items}</ul></nav>\n`;
}

/** The other guides and the search among them. @param shown the guide of the page itself; null if it is none */
export function guideLinks({ basePath }: Site, shown: Guide | null): Html {
  const items = guides
    .filter((guide) => guide !== shown)
    .map(
      ({ slug, title, about }) => html`<li><a href="${basePath}/docs/${slug}">${title}</a>: ${about}</li>\n`,
    );
  return html`<section class="sheet" aria-labelledby="guides">
<h2 id="guides">Guides</h2>
<ul class="links">
${items}</ul>
${searchForm(basePath, '')}
</section>`;
}

const searchPath = '/docs/search';

function searchForm(basePath: string, text: string): Html {
  return html`<form class="search" role="search" action="${basePath}${searchPath}">
<label for="guide-search">Words to search for</label>
<div class="search-line"><input id="guide-search" name="q" type="search" value="${text}" required maxlength="${textMax}"><button>Search</button></div>
</form>`;
}

/** Characters of a text to search for. */
const textMax = 100;
const foundMax = 20;

/** `/docs/search?q=…`: the parts of guides that have all words. It asks for no data, so it costs nothing. */
function guideSearch(rendered: () => readonly Rendering[], site: Site): PageDefinition {
  let searched: readonly SearchedSection[] | null = null;
  return {
    ...dataPage,
    path: searchPath,
    units: () => 0,
    answer(visit: Visit): ShownPage {
      searched ??= rendered().flatMap(searchedSections);
      const text = (visit.query.get('q') ?? '').trim().slice(0, textMax);
      return foundPage(text, text === '' ? [] : find(wordsOf(text), searched), site);
    },
  };
}

interface SearchedSection extends Section {
  readonly guide: Guide;
  /** Its title and its text in small letters. */
  readonly heading: string;
  readonly body: string;
}

function searchedSections({ guide, sections }: Rendering): readonly SearchedSection[] {
  return sections.map((section) => ({
    ...section,
    guide,
    heading: section.title.toLowerCase(),
    body: section.text.toLowerCase(),
  }));
}

function find(words: readonly string[], searched: readonly SearchedSection[]): readonly SearchedSection[] {
  const weighed = searched.map((section) => ({ section, weight: weightOf(section, words) }));
  return weighed
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, foundMax)
    .map(({ section }) => section);
}

/** 0 unless all words are there. Words in the heading weigh most; a long part is weighed down a little. */
function weightOf({ heading, body }: SearchedSection, words: readonly string[]): number {
  let weight = 0;
  for (const word of words) {
    const times = timesIn(body, word);
    if (heading.includes(word)) weight += 10;
    else if (times === 0) return 0;
    weight += times / (1 + body.length / 2_000);
  }
  return weight;
}

/** Counts a word in a text, up to the number of times beyond which it weighs nothing more. */
function timesIn(text: string, word: string): number {
  let times = 0;
  for (let at = text.indexOf(word); at >= 0 && times < timesMax; at = text.indexOf(word, at + word.length))
    times++;
  return times;
}
const timesMax = 5;

/** Each word once. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().split(/\s+/))];
}

function foundPage(text: string, found: readonly SearchedSection[], site: Site): ShownPage {
  const { basePath } = site;
  const items = found.map(
    ({
      guide,
      id,
      title,
      text: body,
    }) => html`<li><a class="name" href="${basePath}/docs/${guide.slug}#${id}">${title}</a>
<span class="line">${guide.title}: ${excerptOf(body, wordsOf(text))}</span></li>\n`,
  );
  const none = text === '' ? null : html`<p>No guide has all these words.</p>\n`;
  return {
    title: text === '' ? 'Search the guides' : `${text} in the guides`,
    content: html`<h1>Search the guides</h1>
${searchForm(basePath, text)}
<section class="results" aria-label="Results">
${items.length === 0 ? none : html`<ol class="hits">\n${items}</ol>\n`}</section>`,
    styles: ['guide.css'],
    entry: '/docs',
    noindex: true,
  };
}

/** Some words around the first that was asked for. */
function excerptOf(text: string, [first = '']: readonly string[]): string {
  const shown = 160;
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const at = Math.max(0, plain.toLowerCase().indexOf(first) - shown / 2);
  const start = at === 0 ? 0 : plain.indexOf(' ', at) + 1;
  const end = plain.length <= start + shown ? plain.length : plain.lastIndexOf(' ', start + shown);
  return `${start > 0 ? '… ' : ''}${plain.slice(start, end)}${end < plain.length ? ' …' : ''}`;
}
