/**
 * `/match`: finds the companies that a list of names means, by the question of /ext/v1/match for each, and shows them or
 * gives them as CSV. It works without scripts.
 *
 * A list of names may be confidential: it is sent by POST, never in an address, and no cache keeps the answer.
 */
import { html } from '../../html/html.ts';
import type { SiteAddress } from '../../protocol/ext-questions.ts';
import type { PageDefinition, SentForm, ShownPage, Visit } from '../definition.ts';
import { readFields } from '../form-fields.ts';
import { notesOf } from '../shared-parts.ts';
import { type MatchedLine, matchFile } from './match-file.ts';
import { matchForm, matchList } from './match-list.ts';
import { type NameLine, namesMax, readLines } from './names.ts';

/** 50 long names in Chinese, form-encoded. */
const formBytesMax = 96 * 1024;

/** Lines that are asked at once. */
const askedTogetherMax = 10;

export const matchPage: PageDefinition = {
  path: '/match',
  methods: ['GET', 'HEAD', 'POST'],
  units: () => 0,
  countsForDay: true,
  personal: true,
  readForm: async (visit, hasRoom) => {
    const reading = await readFields(visit, { bytesMax: formBytesMax, hasRoom });
    if (reading.ok) return formOf(visit, reading.fields);
    return refused(notePage(visit, reading.status, 'The list could not be read', [reading.detail]));
  },
  answer: (visit) => formPage(visit, '', null),
};

/** Explains in sentences why a list was not read. */
const notePage = notesOf('/match', 'Back to the form');

function refused(page: ShownPage): SentForm {
  return { units: 0, answer: () => page };
}

/** Each name costs as much as a page of results. */
function formOf(place: SiteAddress, fields: URLSearchParams): SentForm {
  const text = fields.get('names') ?? '';
  const lines = readLines(text);
  const fault = faultOf(lines);
  if (fault !== null) return refused(formPage(place, text, fault));
  const isFile = fields.get('as') === 'csv';
  return {
    units: lines.filter(({ asks }) => typeof asks !== 'string').length,
    async answer(visit) {
      const matched = await matchAll(visit, lines);
      return isFile ? matchFile(matched) : listPage(visit, text, matched);
    },
  };
}

function faultOf({ length }: readonly NameLine[]): string | null {
  if (length === 0) return 'Paste at least one name.';
  if (length > namesMax) return `The list has ${length} names. Paste at most ${namesMax} at once.`;
  return null;
}

async function matchAll(visit: Visit, lines: readonly NameLine[]): Promise<readonly MatchedLine[]> {
  const matched: MatchedLine[] = [];
  for (let from = 0; from < lines.length; from += askedTogetherMax) {
    const together = lines.slice(from, from + askedTogetherMax);
    matched.push(...(await Promise.all(together.map((line) => matchLine(visit, line)))));
  }
  return matched;
}

async function matchLine({ ask }: Visit, line: NameLine): Promise<MatchedLine> {
  if (typeof line.asks === 'string') return { ...line, found: line.asks };
  const told = await ask({ kind: 'match', ...line.asks });
  if (told.outcome === 'found') return { ...line, found: told.data };
  if (told.outcome === 'invalid') return { ...line, found: `The ${told.parameter} ${told.detail}.` };
  throw new Error(`A match was answered with ${told.outcome}.`);
}

const title = 'Match names';

/** @param fault a sentence on what is wrong with the text; null for nothing */
function formPage(place: SiteAddress, text: string, fault: string | null): ShownPage {
  const shown = { content: matchForm(place, text, fault), styles: ['match.css'] };
  return fault === null ? { title, ...shown } : { status: 400, title: `Error: ${title}`, ...shown };
}

function listPage(place: SiteAddress, text: string, matched: readonly MatchedLine[]): ShownPage {
  return {
    title: `${title}: candidates`,
    content: html`${matchForm(place, text, null)}${matchList(place, matched)}`,
    styles: ['match.css'],
    noindex: true,
  };
}
