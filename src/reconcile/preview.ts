/**
 * Makes the preview of a company: a small page that a client shows in a frame. It has no scripts, links or forms, so
 * any page may frame it; OpenRefine runs at an address that its user chooses.
 */
import { createHash } from 'node:crypto';
import { type Html, html } from '../html/html.ts';
import { subjects } from '../http/parameters.ts';
import type { Task, TaskOutcome } from '../http/task-route.ts';
import { oneSearch } from '../http/tasks.ts';
import type { Company } from '../lei/company.ts';
import { propertyOf } from '../lei/company-properties.ts';
import { textOf } from './task.ts';

const style = `:root { color-scheme: light dark; }
body { font: .875rem/1.4 system-ui, sans-serif; margin: .5rem .75rem; }
h1 { font-size: 1rem; margin: 0 0 .25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; margin: 0; }
dd { margin: 0; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

const previewPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`;

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

interface PreviewParts {
  readonly lei: string;
  readonly name: string;
  readonly facts: Html;
}

/**
 * Asks for one company and shows it.
 * @param unknown answers that there is none
 */
export function companyTask(
  lei: string,
  show: (shown: PreviewParts) => TaskOutcome,
  unknown: (reason: string) => TaskOutcome,
): Task {
  return oneSearch((ask) =>
    ask({ kind: 'company', lei }, (answer): TaskOutcome => {
      if (answer.outcome === 'unavailable') return { ...answer, computed: 0 };
      if (answer.outcome === 'found') return show(shownOf(JSON.parse(textOf(answer.data))));
      return unknown(`This service has no company with the LEI ${lei}.`);
    }),
  );
}

/** For an unknown company the page says so. */
export function previewTask(parameters: URLSearchParams): Task {
  const id = subjects.lei.check(parameters.get('id') ?? '');
  if (!id.ok) return oneSearch(async () => page(400, 'No LEI', html`<p>${id.reason}</p>`));
  return companyTask(
    id.value,
    ({ name, facts }) => page(200, name, facts),
    (reason) => page(404, 'Unknown LEI', html`<p>${reason}</p>`),
  );
}

function shownOf(company: Company): PreviewParts {
  const facts = html`<dl>${shownIds.map((id) => factOf(company, id))}</dl>`;
  return { lei: company.lei, name: company.entity.legalName.name, facts };
}

function factOf(company: Company, id: string): Html | null {
  const property = propertyOf(id);
  const [value] = property?.values(company) ?? [];
  if (property === null || value === undefined || !('str' in value)) return null;
  return html`<dt>${property.name}</dt><dd>${value.str}</dd>`;
}

function page(status: 200 | 400 | 404, title: string, content: Html): TaskOutcome {
  const whole = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`;
  return {
    outcome: 'other',
    status,
    body: whole.text,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': previewPolicy,
      // The address may hold a token.
      'Referrer-Policy': 'no-referrer',
    },
  };
}
