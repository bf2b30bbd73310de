/** `/problems/<name>`: what a problem's `type` leads to, for the person who follows it. */
import { type ProblemName, problemKinds } from '../problems.ts';
import { escapeHtml, htmlPage, type Page } from './page.ts';

export function problemPage(name: ProblemName): Page {
  const { status, title, explanation } = problemKinds[name];
  const paragraphs = explanation.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return htmlPage(
    title,
    `<p>Problem type <code>${name}</code>, HTTP status ${status}.</p>
${paragraphs}
<p><a href="/problems">All problem types</a> · <a href="/docs">The interface</a></p>`,
  );
}

/** `/problems`: the list of all. */
export function problemIndex(): Page {
  const items = Object.entries(problemKinds).map(
    ([name, { status, title }]) =>
      `<li><a href="/problems/${name}"><code>${name}</code></a>: ${status}, ${escapeHtml(title)}</li>`,
  );
  return htmlPage('Problem types', `<ul>\n${items.join('\n')}\n</ul>`);
}
