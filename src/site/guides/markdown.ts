/** The one door to marked: makes HTML of a page of the folder `docs`, with our own links, headings and copy buttons. */
import type { Renderer, Token, Tokens } from 'marked';
import { Html, html } from '../../html/html.ts';

/** The facts about the place where a page is shown. */
interface MarkdownPlace {
  /** The address for a link target such as `bulk.md#match` or `/docs`; null if its text is shown without a link. */
  readonly linkTo: (target: string) => string | null;
  /** Public address of the service, for the examples. */
  readonly baseUrl: string;
}

/** A part of a page: from one heading to the next. */
export interface Section {
  /** Id of its heading. */
  readonly id: string;
  readonly title: string;
  /** Its words without marks. */
  readonly text: string;
}

interface Rendered {
  /** The first heading. */
  readonly title: string;
  /** Everything but the first heading. */
  readonly content: Html;
  /** The first one is the page's beginning. */
  readonly sections: readonly Section[];
}

/** The address that the pages write: a service with the sample. */
const exampleUrl = 'http://127.0.0.1:3000';

/** Read for the first guide that is shown. */
const readMarked = (): typeof import('marked') => require('marked');
const newMarked = () => new (readMarked().Marked)({ gfm: true });

/** @param source GitHub flavoured Markdown that begins with the one heading of the first level */
export function renderMarkdown(source: string, place: MarkdownPlace): Rendered {
  const marked = newMarked();
  const tokens = marked.lexer(source.replaceAll(exampleUrl, place.baseUrl));
  const sections = sectionsOf(tokens);
  marked.use({ renderer: rendererOf(sections, place) });
  return { title: sections[0]?.title ?? '', content: new Html(marked.parser(tokens)), sections };
}

/** Text with marks of Markdown inside a paragraph. Its links are left out. */
export function inlineMarkdown(source: string): Html {
  const marked = newMarked();
  marked.use({ renderer: rendererOf([], { linkTo: () => null, baseUrl: '' }) });
  return new Html(marked.parseInline(source, { async: false }));
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { id: string; title: string; text: string }[] = [];
  for (const token of tokens) {
    const text = textOf(token);
    if (token.type === 'heading') sections.push({ id: idOf(text, sections), title: text, text: '' });
    else {
      const section = sections.at(-1);
      if (section !== undefined) section.text += ` ${text}`;
    }
  }
  return sections;
}

/** As GitHub makes them, so that the links between the pages work here and there. */
function idOf(title: string, earlier: readonly Section[]): string {
  const id = plainIdOf(title);
  const same = earlier.filter((section) => plainIdOf(section.title) === id).length;
  return same === 0 ? id : `${id}-${same}`;
}

function plainIdOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The words of a token and of those within it. */
function textOf(token: Token): string {
  if (token.type === 'table' && 'header' in token) {
    const cells: readonly Tokens.TableCell[] = [token.header, ...token.rows].flat();
    return cells.map(({ tokens }) => tokens.map(textOf).join('')).join(' ');
  }
  if (token.type === 'list' && 'items' in token) return token.items.map(textOf).join(' ');
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(textOf).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : '';
}

function rendererOf(sections: readonly Section[], { linkTo }: MarkdownPlace): Partial<Renderer> {
  let headings = 0;
  let blocks = 0;
  return {
    heading(this: Renderer, { tokens, depth }: Tokens.Heading) {
      const { id = '' } = sections[headings++] ?? {};
      if (depth === 1) return '';
      return html`<${depth === 2 ? h2 : h3} id="${id}">${inline(this, tokens)}</${depth === 2 ? h2 : h3}>\n`
        .text;
    },
    code({ text, lang }: Tokens.Code) {
      blocks += 1;
      return codeBlock(text, lang ?? '', `block-${blocks}`).text;
    },
    link(this: Renderer, { href, tokens }: Tokens.Link) {
      const content = inline(this, tokens);
      const address = linkTo(href);
      return address === null ? content.text : html`<a href="${address}">${content}</a>`.text;
    },
    table(this: Renderer, { header, rows }: Tokens.Table) {
      const row = (cells: readonly Tokens.TableCell[], name: Html) =>
        html`<tr>${cells.map(({ tokens }) => html`<${name}>${inline(this, tokens)}</${name}>`)}</tr>\n`;
      return html`<div class="scrolled" tabindex="0" role="group" aria-label="Table"><table>
<thead>${row(header, th)}</thead>
<tbody>${rows.map((cells) => row(cells, td))}</tbody>
</table></div>\n`.text;
    },
    // The pages hold no HTML. What looks like it is shown as it is written.
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return html`${text}`.text;
    },
  };
}

const [h2, h3, th, td] = [html`h2`, html`h3`, html`th`, html`td`];

function inline({ parser }: Renderer, tokens: Token[]): Html {
  return new Html(parser.parseInline(tokens));
}

/**
 * A block of code. Commands and programs have a button that copies them; `copy.js` shows it.
 * @param id unique in the page
 */
export function codeBlock(text: string, language: string, id: string): Html {
  const block = html`<pre tabindex="0" aria-label="${labels[language] ?? 'Example'}"><code>${text}</code></pre>\n`;
  const toCopy = language === 'console' ? commandsOf(text) : language in labels ? text : '';
  if (toCopy === '') return block;
  return html`<div class="copying">
${block}<p class="copy-line"><button type="button" class="second small" data-copy="${id}" data-told="Copied." hidden>Copy</button> <span role="status"></span></p>
<code id="${id}" hidden>${toCopy}</code>
</div>\n`;
}

/** Languages of blocks that a reader may want to run. */
const labels: Readonly<Record<string, string>> = {
  console: 'Command and its answer',
  sh: 'Command',
  js: 'JavaScript',
  python: 'Python',
};

/** The lines that begin with a prompt, without it and without the answers. A backslash continues a line. */
function commandsOf(text: string): string {
  const commands: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('$ ')) commands.push(line.slice(2));
    else if (commands.at(-1)?.endsWith('\\')) commands.push(line.replace(/^> /, ''));
  }
  return commands.join('\n');
}
