/**
 * The preview of a company: a small page that a client shows in a frame. It has neither scripts nor links nor forms, so
 * any page may frame it; OpenRefine runs at an address of its user's choice.
 */
import { createHash } from 'node:crypto';
import { subjects } from '../../endpoints/subjects.ts';
import { escapeHtml } from '../../pages/page.ts';
import { type Company, propertyOf } from './properties.ts';
import { type Outcome, oneSearch, type Task, textOf } from './task.ts';

const style = `:root { color-scheme: light dark; }
body { font: .875rem/1.4 system-ui, sans-serif; margin: .5rem .75rem; }
h1 { font-size: 1rem; margin: 0 0 .25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; margin: 0; }
dd { margin: 0; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

export const previewPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`;

/** The rows of the preview, by property. */
const shownIds = [
  'lei',
  'status',
  'legalForm',
  'legalAddress',
  'countryName',
  'registrationNumber',
  'registrationStatus',
];

interface Shown {
  readonly lei: string;
  /** HTML of the description. */
  readonly html: string;
  readonly name: string;
}

/** Asks for one company and shows it; HTML of a page says that there is none. */
export function companyTask(id: string, show: (shown: Shown) => Outcome): Task {
  const check = subjects.lei.check(id);
  if (!check.ok) return oneSearch(async () => page(400, 'No LEI', `<p>${escapeHtml(check.reason)}</p>`));
  return oneSearch((ask) =>
    ask({ kind: 'company', lei: check.value }, (answer): Outcome => {
      if (answer.outcome === 'unavailable') return { outcome: 'unavailable', reason: answer.reason };
      if (answer.outcome !== 'found') {
        return page(404, 'Unknown LEI', `<p>No company has the LEI ${escapeHtml(check.value)} here.</p>`);
      }
      return show(shownOf(JSON.parse(textOf(answer.data))));
    }),
  );
}

export function previewTask(parameters: URLSearchParams): Task {
  return companyTask(parameters.get('id') ?? '', ({ name, html }) => page(200, name, html));
}

function shownOf(company: Company): Shown {
  const rows = shownIds.map((id) => rowOf(company, id));
  const { lei, entity } = company;
  return { lei, name: entity.legalName.name, html: `<dl>${rows.join('')}</dl>` };
}

function rowOf(company: Company, id: string): string {
  const property = propertyOf(id);
  const [value] = property?.values(company) ?? [];
  if (property === null || value === undefined || !('str' in value)) return '';
  return `<dt>${property.name}</dt><dd>${escapeHtml(value.str)}</dd>`;
}

function page(status: 200 | 400 | 404, title: string, content: string): Outcome {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>
`;
  return { outcome: 'html', status, html };
}
