/** A readable reference of one description (OpenAPI 3.1): a page without scripts that shows every operation. */

import { type Html, html } from '../../html/html.ts';
import type { Json, JsonObject } from '../../lei/schema.ts';
import type { ShownPage } from '../definition.ts';
import type { Site } from '../layout.ts';
import { guideLinks } from './guides.ts';
import { codeBlock, inlineMarkdown, renderMarkdown } from './markdown.ts';

/**
 * @param source path of the description itself
 * @param baseUrl public address of the service
 */
export function referencePage(source: string, document: JsonObject, site: Site, baseUrl: string): ShownPage {
  const whole = new Described(document, document);
  const info = whole.at('info');
  const title = info.text('title');
  const introduction = renderMarkdown(`# ${title}\n\n${info.text('description')}`, {
    linkTo: webLink,
    baseUrl,
  });
  const operations = operationsOf(whole);
  const content = html`<article class="sheet guide">
<h1>${title}</h1>
<p class="lead">${info.text('summary')}</p>
<nav class="contents" aria-label="Operations"><ul>
${operations.map(({ id, method, address }) => html`<li><a href="#${id}"><code>${method} ${address}</code></a></li>\n`)}</ul></nav>
${operations.map((operation) => operationPart(operation, baseUrl))}
<h2 id="everywhere">What applies to all</h2>
${introduction.content}
<p><a href="${site.basePath}${source}">The description for programs (OpenAPI 3.1, JSON)</a></p>
</article>
${guideLinks(site, null)}`;
  return { title, content, scripts: ['copy.js'], styles: ['guide.css'], entry: '/docs' };
}

/** Descriptions link to addresses of the service and of the web. */
function webLink(target: string): string | null {
  return /^https?:/.test(target) ? target : null;
}

/** A part of a description. It follows references. */
class Described {
  readonly #root: JsonObject;
  readonly value: Json | undefined;

  constructor(root: JsonObject, value: Json | undefined) {
    this.#root = root;
    this.value = value;
  }

  /** Its members; none if it is not an object. */
  get members(): JsonObject {
    return isObject(this.value) ? this.value : {};
  }

  at(name: string): Described {
    const member = new Described(this.#root, this.members[name]);
    const reference = member.members['$ref'];
    return typeof reference === 'string' ? member.#resolved(reference) : member;
  }

  get list(): readonly Described[] {
    const { value } = this;
    if (!Array.isArray(value)) return [];
    return value.map((_, index) => new Described(this.#root, { item: value[index] }).at('item'));
  }

  /** @returns '' if there is no such text */
  text(name: string): string {
    const value = this.members[name];
    return typeof value === 'string' ? value : '';
  }

  #resolved(reference: string): Described {
    const names = reference.replace(/^#\//, '').split('/');
    return names.reduce((part, name) => part.at(name), new Described(this.#root, this.#root));
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** Path with `{…}` for its parameters. */
  readonly address: string;
  readonly described: Described;
}

function operationsOf(whole: Described): readonly DescribedOperation[] {
  const paths = whole.at('paths');
  return Object.keys(paths.members).flatMap((address) => {
    const item = paths.at(address);
    return Object.keys(item.members).map((method) => {
      const described = item.at(method);
      return { id: described.text('operationId'), method: method.toUpperCase(), address, described };
    });
  });
}

function operationPart({ id, method, address, described }: DescribedOperation, baseUrl: string): Html {
  const answer = described.at('responses').at('200').at('content');
  const [type] = Object.keys(answer.members);
  return html`<section class="operation" aria-labelledby="${id}">
<h2 id="${id}">${described.text('summary')}</h2>
<p><code>${method} ${address}</code></p>
<p>${inlineMarkdown(described.text('description'))}</p>
${parameterTable(described.at('parameters').list)}${type === undefined ? null : answerPart(id, answer.at(type), baseUrl)}</section>
`;
}

function parameterTable(parameters: readonly Described[]): Html | null {
  if (parameters.length === 0) return null;
  const rows = parameters.map((parameter) => {
    const isRequired = parameter.members['required'] === true;
    return html`<tr><th scope="row"><code>${parameter.text('name')}</code>${isRequired && html` <span class="badge plain">required</span>`}</th><td>${inlineMarkdown(parameter.text('description'))}${allowed(parameter.at('schema'))}</td></tr>\n`;
  });
  return table('Parameters', ['Parameter', 'Meaning'], rows);
}

/** The values that a schema allows, and the one that holds if none is given. */
function allowed(schema: Described): Html | null {
  const { enum: values, minimum, maximum, default: preset } = schema.members;
  const parts: Html[] = [];
  if (Array.isArray(values) && values.length <= 12) {
    const shown = values.map((value) => html`<code>${String(value)}</code> `);
    parts.push(html`One of ${shown}`);
  }
  if (typeof minimum === 'number' && typeof maximum === 'number') parts.push(html`${minimum} to ${maximum}.`);
  if (preset !== undefined) parts.push(html`Default: <code>${String(preset)}</code>.`);
  return parts.length === 0
    ? null
    : html` <small class="quiet">${parts.map((part) => html`${part} `)}</small>`;
}

/** The members of an answer and an example of it. */
function answerPart(id: string, content: Described, baseUrl: string): Html {
  const schema = content.at('schema');
  const data = schema.at('properties').at('data');
  const rows = membersOf(data.value === undefined ? schema : data, '').map(
    ({ name, kind, about }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${inlineMarkdown(about)} <small class="quiet">${kind}</small></td></tr>\n`,
  );
  const example = content.at('example');
  const self = example.at('links').text('self');
  return html`${rows.length > 0 && html`<details><summary>The members of <code>data</code></summary>\n${table('Members of data', ['Member', 'Meaning'], rows)}</details>\n`}${self !== '' && codeBlock(`curl '${baseUrl}${self}'`, 'sh', `call-${id}`)}${
    example.value !== undefined &&
    html`<details><summary>Example of an answer</summary>
<pre tabindex="0" aria-label="Answer"><code>${JSON.stringify(example.value, null, 2)}</code></pre></details>
`
  }`;
}

interface SchemaMember {
  /** Such as `nodes[].lei`. */
  readonly name: string;
  /** Such as `string or null`. */
  readonly kind: string;
  readonly about: string;
}

/** Deeper members stand in the description, and in the record's glossary. */
const levelsMax = 3;

function membersOf(schema: Described, before: string, level = 1): readonly SchemaMember[] {
  const properties = schema.at('properties');
  return Object.keys(properties.members).flatMap((key) => {
    const property = properties.at(key);
    const name = `${before}${key}`;
    const items = property.at('items');
    const isList = items.value !== undefined;
    const own = { name, kind: kindOf(property), about: property.text('description') };
    if (level === levelsMax) return [own];
    return [own, ...membersOf(isList ? items : property, `${name}${isList ? '[]' : ''}.`, level + 1)];
  });
}

function kindOf(schema: Described): string {
  const { type, anyOf } = schema.members;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join(' or ');
  return Array.isArray(anyOf) ? schema.at('anyOf').list.map(kindOf).join(' or ') : 'object';
}

function table(label: string, [first, second]: readonly [string, string], rows: readonly Html[]): Html {
  return html`<div class="scrolled" tabindex="0" role="group" aria-label="${label}"><table>
<thead><tr><th scope="col">${first}</th><th scope="col">${second}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>\n`;
}
