/**
 * Recomputes the weights of all terms: a weight follows from how many companies have the term, and from how many there
 * are.
 */
import { isLight, lightWords } from '../../../lei/names/name-terms.ts';
import { filterMark, type IndexShape, type SearchTables, termsPerBlock } from '../format.ts';
import { changeColumn, readColumn } from '../index/column.ts';
import { newTermRows, readNewTerm } from '../index/new-terms.ts';
import { openOldTerms } from '../index/old-terms.ts';
import { readFrequencies, type SpelledTerm } from '../index/term-blocks.ts';
import { type IdRange, weightsOf } from '../index/weights.ts';
import { withoutTimeLimit } from '../time-limit.ts';

/** Every term and how many documents have it. */
export interface Census {
  /** The weights, by id of the term. */
  readonly frequencies: Uint32Array;
  /** Terms added since the build, in alphabetical order. */
  readonly newTerms: readonly SpelledTerm[];
}

export function takeCensus(tables: SearchTables, { terms, newTerms }: IndexShape): Census {
  const frequencies = new Uint32Array(terms + newTerms);
  for (let block = 0; block * termsPerBlock < terms; block++) {
    const length = tables.terms.read(block);
    if (length === 0) throw new Error(`The search index has no terms ${block}.`);
    readFrequencies(tables.terms.bytes, length, frequencies, block * termsPerBlock);
  }
  const added: SpelledTerm[] = [];
  for (const [text, row] of newTermRows(tables)) {
    const term = readNewTerm(text, row);
    frequencies[term.id] = term.frequency;
    added.push({ text, term });
  }
  return { frequencies, newTerms: added };
}

/** Weights of all terms, and the ids of those whose weight changed. */
export interface WeightChanges {
  readonly weights: Uint8Array;
  readonly changed: readonly number[];
}

/** @param before the shape until now; @param shape the shape from now on */
export function writeWeightsAnew(
  tables: SearchTables,
  before: IndexShape,
  shape: IndexShape,
  census: Census,
): WeightChanges {
  const old = readColumn(tables.weights, before.terms + before.newTerms, 'weights');
  const weights = weigh(tables, shape, census);
  const changed: number[] = [];
  for (let id = 0; id < weights.length; id++) {
    // Skip terms that no company has.
    if (weights[id] !== old[id] && (census.frequencies[id] ?? 0) > 0) changed.push(id);
  }
  changeColumn(tables.weights, old, weights);
  return { weights, changed };
}

function weigh(tables: SearchTables, shape: IndexShape, { frequencies, newTerms }: Census): Uint8Array {
  const old = openOldTerms(tables, shape, withoutTimeLimit());
  const forms: IdRange[] = [[shape.formsFrom, shape.formsTo], old.range(filterMark)];
  const light = [...lightWords].flatMap((word) => old.find(word)?.id ?? []);
  for (const { text, term } of newTerms) {
    if (text.startsWith(filterMark)) forms.push([term.id, term.id + 1]);
    else if (isLight(text)) light.push(term.id);
  }
  return weightsOf(frequencies, shape.documents, forms, light);
}
