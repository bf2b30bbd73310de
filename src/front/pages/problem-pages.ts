/** `/problems/<name>`: explains a problem type to the person who follows its link. */
import { type ProblemName, problemKinds } from '../problems.ts';
import { escapeHtml, htmlPage, type Page, type Site } from './page.ts';

export function problemPage(name: ProblemName, site: Site): Page {
  const { basePath } = site;
  const { status, title, explanation } = problemKinds[name];
  const paragraphs = explanation.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return htmlPage(
    title,
    `<p>Problem type <code>${name}</code>, HTTP status ${status}.</p>
${paragraphs}
<p><a href="${basePath}/problems">All problem types</a> · <a href="${basePath}/docs">API reference</a></p>`,
    site,
  );
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
