/** `/problems/<name>`: explains a problem type to the person who follows its link. */
import type { Config } from '../../config.ts';
import { type ProblemName, problemKinds } from '../problems.ts';
import { escapeHtml, htmlPage, type Page, type Site } from './page.ts';

type PageConfig = Site & Pick<Config, 'signup' | 'accountDaily'>;

export function problemPage(name: ProblemName, config: PageConfig): Page {
  const { basePath } = config;
  const { status, title, explanation } = problemKinds[name];
  const texts = explanation.map((text) => `<p>${escapeHtml(text)}</p>`);
  const paragraphs = [...texts, ...advice(name, config)].join('\n');
  return htmlPage(
    title,
    `<p>Problem type <code>${name}</code>, HTTP status ${status}.</p>
${paragraphs}
<p><a href="${basePath}/problems">All problem types</a> · <a href="${basePath}/docs">API reference</a></p>`,
    config,
  );
}

function advice(name: ProblemName, { basePath, signup, accountDaily }: PageConfig): readonly string[] {
  if (name !== 'rate-limited' || !signup) return [];
  const link = `<a href="${basePath}/signup">free account</a>`;
  return [
    `<p>A client without a key gets more with one: a ${link} has ${accountDaily} requests a day of its own.</p>`,
  ];
}

/** `/problems`: lists all types. */
export function problemIndex(site: Site): Page {
  const { basePath } = site;
  const items = Object.entries(problemKinds).map(
    ([name, { status, title }]) =>
      `<li><a href="${basePath}/problems/${name}"><code>${name}</code></a>: ${status}, ${escapeHtml(title)}</li>`,
  );
  return htmlPage('Problem types', `<ul>\n${items.join('\n')}\n</ul>`, site);
}
