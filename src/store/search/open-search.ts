/**
 * Opens the search index of a sealed publication. A question becomes terms (lei/names), a plan of what its words may
 * mean (plan), a set of companies (match), and a page of them in order (rank).
 */
import { nameTerms } from '../../lei/names/name-terms.ts';
import type { Environment } from '../../lmdb.ts';
import type { Steps } from '../steps.ts';
import { entitiesOf, entitiesWithInitials, entitiesWithWords } from './company-sets.ts';
import { countryTerm, duplicatesFromOf, statusTerm } from './format.ts';
import { weightMax } from './index/weights.ts';
import { searchLimits } from './limits.ts';
import { findHits } from './match/find-hits.ts';
import {
  isNamed,
  type PinnedDocuments,
  passing,
  pinnedDocuments,
  withFormApart,
  withoutSpaces,
} from './match/pinned.ts';
import { type IndexParts, openParts } from './parts.ts';
import { formsAlone, planAsTyped, type QueryPlan } from './plan/query-plan.ts';
import { allDocuments, type HitOrdering, page } from './rank/ordered-hits.ts';
import { DocumentScorer } from './score/score.ts';
import type {
  AllHits,
  OpenSearch,
  SearchOutcome,
  SearchQuery,
  SearchReader,
  TimedOut,
} from './search-reader.ts';
import type { Union } from './sets/document-list.ts';
import { suggest } from './suggest.ts';
import { inTime, TimeLimit } from './time-limit.ts';

/**
 * @param leiOf LEI of an entity
 * @throws as {@link openParts}
 */
export function openSearchReader(
  environment: Environment,
  leiOf: IndexParts['leiOf'],
  timeLimit = new TimeLimit(() => performance.now(), searchLimits.searchMsMax),
): OpenSearch {
  const parts = openParts(environment, leiOf, timeLimit);
  return {
    search: (query) => {
      const terms = nameTerms(query.q);
      if (terms.length === 0) return query.after === null ? noHits : refusedCursor;
      return inTime(timeLimit, () => answer(parts, query, terms));
    },
    all: (q) => allHits(parts, q),
    withWords: (text, of) => entitiesWithWords(parts, text, of),
    withInitials: (letters, max) => entitiesWithInitials(parts, letters, max),
    suggest: (q) => {
      const terms = nameTerms(q);
      return terms.length === 0 ? noHits : inTime(timeLimit, () => suggest(parts, q, terms));
    },
    weightOf: (text) => {
      timeLimit.begin();
      const term = parts.terms.find(text);
      return term === null ? null : (parts.weights[term.id] ?? 0) / weightMax;
    },
    shareIn: remembered((country, text) => shareIn(parts, country, text)),
    close: parts.close,
  };
}

function shareIn({ timeLimit, terms, sets }: IndexParts, country: string, text: string): number {
  timeLimit.begin();
  const [all, some] = [terms.find(countryTerm(country)), terms.find(text)];
  if (all === null || some === null) return 0;
  return sets.intersect([[sets.filterOf(all)], [sets.listOf(some)]], 0, 0).total / all.frequency;
}

/** Caches its results: they are needed often, and intersecting two long lists takes up to a millisecond. */
function remembered(share: SearchReader['shareIn']): SearchReader['shareIn'] {
  const known = new Map<string, number>();
  return (country, text) => {
    const key = country + text;
    const found = known.get(key) ?? share(country, text);
    if (known.size >= searchLimits.sharesRememberedMax) known.clear();
    known.set(key, found);
    return found;
  };
}

function* allHits(parts: IndexParts, q: string): Steps<AllHits | TimedOut> {
  const terms = nameTerms(q);
  const none: AllHits = { outcome: 'all', entities: new Uint32Array(0), nameIndexAt: () => 0 };
  if (terms.length === 0) return none;
  const query = { q, country: null, status: null, after: null, limit: 0 };
  const found = inTime(parts.timeLimit, () => {
    const ordering = orderingOf(parts, query, terms);
    return { ordering, documents: allDocuments(ordering) };
  });
  if ('outcome' in found) return found;
  const { ordering, documents } = found;
  const entities = yield* entitiesOf(parts, documents);
  return {
    outcome: 'all',
    entities,
    nameIndexAt: (place) => {
      const document = documents[place] ?? 0;
      parts.timeLimit.begin();
      return ordering.scorer.score(document, ordering.pinned.get(document) ?? -1).nameIndex;
    },
  };
}

/** For a question without a letter or digit, such as "!!". */
const noHits: SearchOutcome = { outcome: 'hits', total: 0, hits: [], next: null };

function answer(parts: IndexParts, query: SearchQuery, terms: readonly string[]): SearchOutcome {
  const from = query.after === null ? 0 : positionOf(query.after);
  const ordering = orderingOf(parts, query, terms);
  const { total, hits } = page(ordering, from ?? 0, query.limit);
  if (from === null || from > total) return refusedCursor;
  const end = from + hits.length;
  return { outcome: 'hits', total, hits, next: end < total ? String(end) : null };
}

const refusedCursor: SearchOutcome = {
  outcome: 'refused',
  detail: 'The cursor is not one that this search gave out.',
};

function positionOf(after: string): number | null {
  return /^\d{1,8}$/.test(after) ? Number(after) : null;
}

/** The matching companies, and everything that determines their order. */
function orderingOf(parts: IndexParts, query: SearchQuery, terms: readonly string[]): HitOrdering {
  const filters = filtersOf(parts, query);
  const { named, plan } = planned(parts, query.q, terms);
  const hits = findHits({ parts, plan, filters, pinned: named });
  const pinned = passing(parts, named, filters);
  const duplicatesFrom = duplicatesFromOf(parts.shape);
  const duplicatesOnly =
    hits.duplicatesOnly && [...named.keys()].every((document) => document >= duplicatesFrom);
  const allPinned = named.size < searchLimits.pinnedDocumentsMax;
  const scorer = new DocumentScorer(parts, plan);
  return { parts, plan, scorer, hits, pinned, named, allPinned, duplicatesOnly };
}

interface Planned {
  readonly plan: QueryPlan;
  /** The companies of any country and status with the question as their whole name or identifier. */
  readonly named: PinnedDocuments;
}

/**
 * If no company has the question for its name, one may have it with other spaces: a legal form that was joined to a name is read
 * apart, and words of scripts without spaces together.
 */
function planned(parts: IndexParts, q: string, terms: readonly string[]): Planned {
  const named = pinnedDocuments(parts, q, terms);
  const respaced = named.size > 0 ? null : (withFormApart(parts, q) ?? withoutSpaces(parts, q));
  if (respaced === null) return { named, plan: asNameOrForms(parts, q, terms, named) };
  const termsOfOther = nameTerms(respaced);
  return {
    named: pinnedDocuments(parts, respaced, termsOfOther),
    plan: planAsTyped(parts, respaced, termsOfOther),
  };
}

/** "gmbh & co kg" is a question for all companies that have these forms, if no company has it for its name, as ANL B.V. has. */
function asNameOrForms(
  parts: IndexParts,
  q: string,
  terms: readonly string[],
  named: PinnedDocuments,
): QueryPlan {
  const plan = planAsTyped(parts, q, terms);
  const forms = plan.formsAsked === 0 || plan.apart.size > 0 ? [] : formsAlone(q, terms);
  return forms.length === 0 || isNamed(parts, plan, named) ? plan : planAsTyped(parts, q, forms);
}

/** The companies of the country and of the status that the question is limited to. */
function filtersOf({ terms, sets }: IndexParts, { country, status }: SearchQuery): Union[] {
  const wanted = [
    country === null ? null : countryTerm(country),
    status === null ? null : statusTerm(status),
  ];
  return wanted
    .filter((text) => text !== null)
    .map((text) => {
      const term = terms.find(text);
      return term === null ? [] : [sets.filterOf(term)];
    });
}
