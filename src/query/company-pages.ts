/**
 * Makes the pages about a company. A front would take five milliseconds for one that it seldom makes, and all its
 * callers would wait.
 */
import { childrenContent, childrenOfPage, childrenTitle } from '../html/children.ts';
import { companyContent, nameOf } from '../html/company.ts';
import { type History, timeLine } from '../html/history.ts';
import { html } from '../html/html.ts';
import { type MadePage, textOfPage } from '../html/made-page.ts';
import { firstChildren } from '../html/ownership.ts';
import type { RecordNames } from '../html/record.ts';
import type { Company } from '../lei/company.ts';
import type { ChildrenOnPage, ParentsAnswer } from '../lei/page-answers.ts';
import type { ChildKind } from '../lei/relationship-codes.ts';
import type {
  ChildrenPageQuestion,
  CompanyPageQuestion,
  HistoryPageQuestion,
} from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import { sourceTimeOf } from '../publication/layout.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { found, notFound, out } from './answers.ts';
import { answerChildren } from './company-lists.ts';
import { nameOfRegister } from './gleif/code-lists.ts';
import { answerChanges } from './history.ts';
import { answerCompany, recordOf } from './look-ups.ts';
import { factMembers } from './related.ts';
import { answerParents } from './relationships.ts';

/** A company with more children has only the first ones of each kind on its page. */
const childrenShown = 100;
/** Items of the history that the page itself holds. */
const changesShown = 8;

export function* answerCompanyPage(
  publication: PublicationReader,
  question: CompanyPageQuestion,
): Steps<Answer> {
  const { lei } = question;
  const changes = answerChanges(publication, { lei, after: null, limit: changesShown });
  const history = dataOf<History>(changes);
  const answer = answerCompany(publication, lei);
  const company = dataOf<Company>(answer);
  if (company === null) return history === null ? notFound : formerCompany(question, history);
  const parents = dataOf<ParentsAnswer>(yield* answerParents(publication, lei));
  if (parents === null) throw new Error(`The company ${lei} has no relationships, not even none.`);
  const children = yield* childrenOf(publication, parents);
  const names = recordNames(publication, company);
  yield;
  const hasMoreHistory = changes.outcome === 'found' && changes.next !== null;
  const shown = { company, names, parents, children, history, hasMoreHistory };
  const content = companyContent(question, { ...shown, dataOf: sourceTimeOf(publication.id) });
  return pageAnswer({ title: `${nameOf(company)} · ${lei}`, content }, answer);
}

function formerCompany(place: CompanyPageQuestion, history: History): Answer {
  const content = html`<h2>What is known about it</h2>\n${timeLine(place, history)}`;
  return pageAnswer({ title: '', content });
}

/** The children of each kind. Ultimate children are left out if there are no more of them than direct ones. */
function* childrenOf(
  publication: PublicationReader,
  { lei, children }: ParentsAnswer,
): Steps<readonly ChildrenOnPage[]> {
  const kinds: readonly ChildKind[] = [
    'direct',
    ...(children.ultimate > children.direct ? ['ultimate' as const] : []),
    'fund',
    'branch',
  ];
  const shown = kinds.filter((kind) => children[kind] > 0);
  const total = shown.reduce((sum, kind) => sum + children[kind], 0);
  const limit = total > childrenShown ? firstChildren : childrenShown;
  const lists: ChildrenOnPage[] = [];
  for (const of of shown) {
    const answer = yield* answerChildren(publication, { lei, of, after: null, limit }, factMembers);
    const list = dataOf<ChildrenOnPage>(answer);
    if (list !== null) lists.push(list);
  }
  return lists;
}

export function* answerChildrenPage(
  publication: PublicationReader,
  question: ChildrenPageQuestion,
): Steps<Answer> {
  const { lei, of, page } = question;
  const after = page === 1 ? null : String((page - 1) * childrenOfPage);
  const asked = { lei, of, after, limit: childrenOfPage };
  const children = dataOf<ChildrenOnPage>(yield* answerChildren(publication, asked, factMembers));
  if (children === null) return notFound;
  yield;
  const content = childrenContent(question, children, page);
  return pageAnswer({ title: childrenTitle(children, page), content });
}

export function answerHistoryPage(publication: PublicationReader, question: HistoryPageQuestion): Answer {
  const answer = answerChanges(publication, question);
  const history = dataOf<History>(answer);
  if (history === null) return answer;
  return pageAnswer({ title: `History of ${question.lei}`, content: timeLine(question, history) }, answer);
}

/** @param from the answer whose notices and next page are those of the page */
function pageAnswer(page: MadePage, from: Answer = notFound): Answer {
  out.begin();
  out.text(textOfPage(page));
  return from.outcome === 'found' ? found(out, from.notices, from.next) : found(out);
}

/** The data of an answer, before its memory is used again; null if there is none. */
function dataOf<Data>(answer: Answer): Data | null {
  if (answer.outcome !== 'found') return null;
  const { buffer, byteOffset, length } = answer.data;
  return JSON.parse(Buffer.from(buffer, byteOffset, length).toString('utf8'));
}

function recordNames(
  publication: PublicationReader,
  { entity, validation, registration }: Company,
): RecordNames {
  const others = validation.otherValidationAuthorities.map((other) => other.validatedAt.id);
  const codes = new Set([entity.registeredAt.id, validation.validatedAt.id, ...others]);
  const registers = [...codes].flatMap((code) => {
    const name = code === null ? null : nameOfRegister(publication, code);
    return code === null || name === null ? [] : [[code, name] as const];
  });
  return {
    managingLou: nameOfIssuer(publication, registration.managingLou),
    registers: new Map(registers),
  };
}

function nameOfIssuer(publication: PublicationReader, lei: string | null): string | null {
  const entity = lei === null ? null : recordOf(publication, lei);
  return entity === null ? null : (publication.summary(entity).name ?? '');
}
