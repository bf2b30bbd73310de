/** `/company/{lei}`: everything that is known about a company, for people. */
import type { Config } from '../../../config.ts';
import type { ChildKind } from '../../../lei/relationship.ts';
import type { DataOf, PageAnswer, PageDefinition, Told, Visit } from '../definition.ts';
import { html, type Part } from '../html.ts';
import { type Children, childrenHtml, parentsHtml } from './family.ts';
import { timeLine } from './history.ts';
import { pageLimits } from './limits.ts';
import { pageOfCompany } from './page-of-company.ts';
import { type Place, section } from './parts.ts';
import { pictureFrame } from './picture-frame.ts';
import { programs } from './programs.ts';
import { recordSections } from './record.ts';
import { unknownPage } from './stray.ts';
import { nameOf, summary } from './summary.ts';

export function companyPage(config: Pick<Config, 'basePath'>): PageDefinition {
  // The picture is saved as an image that the page itself makes.
  return { ...pageOfCompany(config, '/company/{lei}', show), policy: { 'img-src': "'self' blob:" } };
}

async function show(place: Place, visit: Visit, lei: string): Promise<PageAnswer> {
  const [company, parents, changes] = await Promise.all([
    visit.ask({ kind: 'company', lei }),
    visit.ask({ kind: 'parents', lei }),
    visit.askPage((after) => ({ kind: 'changes', lei, after, limit: pageLimits.changesFirst }), {
      cursor: null,
      scope: `changes ${lei}`,
    }),
  ]);
  const history = changes.outcome === 'found' ? changes : null;
  if (company.outcome !== 'found' || parents.outcome !== 'found') {
    return unknownPage(place, lei, history?.data ?? null);
  }
  const [children, managingLou] = await Promise.all([
    firstChildren(visit, parents.data),
    nameOfOther(visit, company.data.registration.managingLou),
  ]);
  const name = nameOf(company.data);
  return {
    title: `${name} · ${lei}`,
    canonical: `${place.baseUrl}/company/${lei}`,
    scripts: ['copy.js', 'company/company.js'],
    styles: ['company/company.css'],
    content: html`${summary(company.data)}
${contents}
${ownership(place, name, parents.data, children)}
<div class="record">
${recordSections(place, company.data, managingLou)}
</div>
${historySection(place, lei, history)}
${programs(place, company.data, parents.data)}
<p class="quiet source">${company.meta.licenseNotice} Dataset version <code class="code">${company.meta.datasetVersion}</code>.</p>`,
  };
}

const contents = html`<nav class="contents" aria-label="On this page"><ul>
<li><a href="#ownership">Ownership</a></li>
<li><a href="#about">The company</a></li>
<li><a href="#names">Names</a></li>
<li><a href="#addresses">Addresses</a></li>
<li><a href="#identifiers">Identifiers</a></li>
<li><a href="#history">History</a></li>
<li><a href="#programs">For programs</a></li>
</ul></nav>`;

/** The first children of each kind. Ultimate children are left out if there are no more of them than direct ones. */
async function firstChildren(
  visit: Visit,
  { lei, children }: DataOf['parents'],
): Promise<readonly Children[]> {
  const kinds: readonly ChildKind[] = [
    'direct',
    ...(children.ultimate > children.direct ? ['ultimate' as const] : []),
    'fund',
    'branch',
  ];
  const asked = kinds.filter((kind) => children[kind] > 0);
  const told = await Promise.all(
    asked.map((of) => visit.ask({ kind: 'children', lei, of, after: null, limit: pageLimits.childrenFirst })),
  );
  return told.flatMap((each) => (each.outcome === 'found' ? [each.data] : []));
}

/** The name of another company; null if it has no record here. */
async function nameOfOther(visit: Visit, lei: string | null): Promise<string | null> {
  if (lei === null || !/^[0-9A-Z]{20}$/.test(lei)) return null;
  const told = await visit.ask({ kind: 'company', lei });
  return told.outcome === 'found' ? told.data.entity.legalName.name : null;
}

function ownership(
  place: Place,
  name: string,
  parents: DataOf['parents'],
  children: readonly Children[],
): Part {
  const json = `${place.basePath}/ext/v1/lei/${parents.lei}/ownership`;
  return section('ownership', 'Who owns whom', json, [
    pictureFrame(place, parents.lei, name),
    parentsHtml(place, parents),
    childrenHtml(place, children),
  ]);
}

function historySection(
  place: Place,
  lei: string,
  told: (Told<'changes'> & { outcome: 'found' }) | null,
): Part {
  const json = `${place.basePath}/api/v1/lei/${lei}/changes`;
  return section('history', 'History', json, [
    timeLine(place, told?.data ?? { lei, items: [] }),
    told !== null &&
      told.next !== null &&
      html`<p><a href="${place.basePath}/company/${lei}/history">The whole history</a></p>`,
  ]);
}
