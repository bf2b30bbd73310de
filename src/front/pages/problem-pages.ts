/** `/problems/<name>`: explains a problem type to the person who follows its link. */
import type { Config } from '../../config.ts';
import { type ProblemName, problemKinds } from '../problems.ts';
import type { Page, Shown } from './definition.ts';
import { type Html, html } from './html.ts';
import { layout, type Site } from './layout.ts';
import { htmlHeaders } from './policy.ts';

type PageConfig = Site & Pick<Config, 'accountDaily'>;

export function problemPage(name: ProblemName, config: PageConfig): Page {
  const { basePath } = config;
  const { status, title, explanation } = problemKinds[name];
  const content = html`<article class="sheet">
<h1>${title}</h1>
<p>Problem type <code>${name}</code>, HTTP status ${status}.</p>
${explanation.map((text) => html`<p>${text}</p>\n`)}${advice(name, config)}<p><a href="${basePath}/problems">All problem types</a> · <a href="${basePath}/docs">API reference</a></p>
</article>`;
  return staticPage({ title, content }, `/problems/${name}`, config);
}

function advice(name: ProblemName, { basePath, signup, accountDaily }: PageConfig): Html | null {
  if (name !== 'rate-limited' || !signup) return null;
  return html`<p>A client without a key gets more with one: a <a href="${basePath}/signup">free account</a> has ${accountDaily} requests a day of its own.</p>\n`;
}

/** `/problems`: lists all types. */
export function problemIndex(site: Site): Page {
  const items = Object.entries(problemKinds).map(
    ([name, { status, title }]) =>
      html`<li><a href="${site.basePath}/problems/${name}"><code>${name}</code></a>: ${status}, ${title}</li>\n`,
  );
  const content = html`<article class="sheet">
<h1>Problem types</h1>
<ul>
${items}</ul>
</article>`;
  return staticPage({ title: 'Problem types', content }, '/problems', site);
}

function staticPage(shown: Shown, path: string, site: Site): Page {
  return {
    contentType: 'text/html; charset=utf-8',
    body: layout(shown, path, site),
    headers: htmlHeaders(),
  };
}
