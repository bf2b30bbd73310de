/** Renders the form for a list of names, and the candidates for each of them with their reasons. */

import { type Html, html, type Part } from '../../html/html.ts';
import { count, countryName } from '../../html/words.ts';
import { verdicts } from '../../lei/match-answers.ts';
import type { SiteAddress } from '../../protocol/ext-questions.ts';
import type { DataOf } from '../definition.ts';
import type { MatchedLine, ShownCandidate } from './match-file.ts';
import { namesMax } from './names.ts';

/** @param fault a sentence on what is wrong with the text; null for nothing */
export function matchForm({ basePath }: SiteAddress, text: string, fault: string | null): Html {
  const described = fault === null ? 'names-hint' : 'names-hint names-fault';
  return html`<h1>Match names</h1>
<p class="lead">Paste a list of company names to see which companies they mean, and why.</p>
<form class="sheet match-form" method="post" action="${basePath}/match">
<label for="names">Names, one a line</label>
<span class="hint" id="names-hint">Up to ${namesMax}. Country and city may follow each name after a semicolon, as in “Siemens AG; Germany; München”, or as cells copied from a spreadsheet. The list is not stored.</span>
${fault !== null && html`<span class="fault" id="names-fault" role="alert">${fault}</span>\n`}<textarea id="names" name="names" rows="8" required spellcheck="false" autocapitalize="off" aria-describedby="${described}"${fault !== null && html` aria-invalid="true"`}>
${text}</textarea>
<p class="send"><button type="submit">Show candidates</button> <button type="submit" name="as" value="csv" class="second">Download CSV</button></p>
</form>
`;
}

const verdictWords = { match: 'match', ambiguous: 'ambiguous', none: 'without a match' } as const;
type ShownVerdict = DataOf['match']['verdict'];

export function matchList(place: SiteAddress, matched: readonly MatchedLine[]): Html {
  const asked = matched.flatMap(({ found }) => (typeof found === 'string' ? [] : [found.verdict]));
  const numbers = verdicts.map((verdict) => ({
    verdict,
    number: asked.filter((each) => each === verdict).length,
  }));
  const texts = [
    ...numbers
      .filter(({ number }) => number > 0)
      .map(({ verdict, number }) => `${number} ${verdictWords[verdict]}`),
    ...(asked.length < matched.length ? [`${matched.length - asked.length} not asked`] : []),
  ];
  return html`<section class="results" aria-labelledby="candidates">
<h2 id="candidates">Candidates</h2>
<p class="count" role="status">${matched.length === 1 ? 'One name' : `${count(matched.length)} names`}: ${texts.join(', ')}.</p>
<ol class="hits matched">
${matched.map((line) => lineItem(place, line))}</ol>
</section>`;
}

function lineItem(place: SiteAddress, line: MatchedLine): Html {
  const { found } = line;
  if (typeof found === 'string') return html`<li>${heading(line, null)}<p class="fault">${found}</p></li>\n`;
  const { verdict, candidates } = found;
  const shown = candidates.slice(0, shownOf[verdict]);
  const others = candidates.slice(shown.length);
  return html`<li>${heading(line, verdict)}${candidates.length === 0 && html`<p class="quiet">No company has a name like this.</p>`}${candidateList(place, shown)}${
    others.length > 0 &&
    html`<details><summary>${othersText(others.length, shown.length)}</summary>
${candidateList(place, others)}</details>`
  }</li>
`;
}

function heading({ name, country, city }: MatchedLine, verdict: ShownVerdict | null): Html {
  const where = [city, country].filter((part) => part !== '').join(', ');
  return html`<h3><bdi>${name}</bdi>${where !== '' && html` <span class="quiet"><bdi>${where}</bdi></span>`}${verdict !== null && html` ${verdictBadge(verdict)}`}</h3>
`;
}

/** Candidates that are shown unfolded. */
const shownOf = { match: 1, ambiguous: 3, none: 0 } as const;

function othersText(others: number, shown: number): string {
  if (shown === 0) return others === 1 ? 'One unlikely candidate' : `${others} unlikely candidates`;
  return others === 1 ? 'One more candidate' : `${others} more candidates`;
}

function verdictBadge(verdict: ShownVerdict): Html {
  const [style, text] = badges[verdict];
  return html`<span class="badge${style}">${text}</span>`;
}
const badges = {
  match: [' good', 'Match'],
  ambiguous: ['', 'Ambiguous'],
  none: [' plain', 'No match'],
} as const;

function candidateList(place: SiteAddress, candidates: readonly ShownCandidate[]): Html | null {
  if (candidates.length === 0) return null;
  return html`<ul class="candidates">
${candidates.map((candidate) => candidateItem(place, candidate))}</ul>
`;
}

function candidateItem(
  { basePath }: SiteAddress,
  { lei, name, country, score, features }: ShownCandidate,
): Html {
  const facts: readonly Part[] = [country && html`${countryName(country)} · `, html`<code>${lei}</code>`];
  return html`<li><a class="name" href="${basePath}/company/${lei}"><bdi>${name}</bdi></a> <span class="score">${percent(score)}</span>
<span class="line">${facts}</span>
<span class="line">${reasons(features).join(' · ')}</span></li>
`;
}

/** The parts of the score, in words. */
function reasons(features: ShownCandidate['features']): readonly string[] {
  const { name, legalForm, country, city, form, state, place, branch } = features;
  const read = [form, state, place, branch ? 'a branch' : null].filter((each) => each !== null);
  return [
    name !== null && (name === 1 ? 'same name' : `name ${percent(name)} alike`),
    legalForm !== null && formWords(legalForm),
    country !== null && countryWords(country),
    city !== null && (city === 1 ? 'same city' : city === 0 ? 'another city' : `city ${percent(city)} alike`),
    read.length > 0 && `read from the name: ${read.join(', ')}`,
  ].filter((each) => each !== false);
}

/** The values are those that the description of /ext/v1/match gives. */
function formWords(legalForm: number): string {
  if (legalForm === 1) return 'same legal form';
  if (legalForm >= 0.8) return 'legal form may be a translation';
  if (legalForm >= 0.4) return 'the company has no legal form';
  return legalForm > 0 ? 'legal form is rare in its country' : 'another legal form';
}

function countryWords(country: number): string {
  if (country === 1) return 'same country';
  return country > 0 ? 'headquarters in the country' : 'another country';
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
