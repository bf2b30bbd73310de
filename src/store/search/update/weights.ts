/**
 * Recomputes the weights of all terms: a weight follows from how many companies have the term, and from how many there
 * are.
 */
import { isLight, lightWords } from '../../../lei/names/name-terms.ts';
import { filterMark, type IndexShape, type SearchTables, termsPerBlock, weightsPerChunk } from '../format.ts';
import { readNewTerm, textOfKey } from '../index/new-terms.ts';
import { openOldTerms } from '../index/old-terms.ts';
import { readFrequencies, type SpelledTerm } from '../index/term-blocks.ts';
import { formWeight, readWeights, weightOf } from '../index/weights.ts';
import { withoutTimeLimit } from '../time-limit.ts';

/** Every term and how many documents have it. */
export interface Census {
  /** By id. */
  readonly frequencies: Uint32Array;
  /** Terms added since the build, in alphabetical order. */
  readonly newTerms: readonly SpelledTerm[];
}

export function takeCensus(tables: SearchTables, { terms, newTerms }: IndexShape): Census {
  const frequencies = new Uint32Array(terms + newTerms);
  for (let block = 0; block * termsPerBlock < terms; block++) {
    const row = tables.terms.getBinaryFast(block);
    if (row === undefined) throw new Error(`The search index has no terms ${block}.`);
    readFrequencies(row, row.length, frequencies, block * termsPerBlock);
  }
  const added: SpelledTerm[] = [];
  for (const { key, value } of tables.newTerms.getRange({})) {
    if (!Buffer.isBuffer(key)) continue;
    const text = textOfKey(key);
    const term = readNewTerm(text, value);
    frequencies[term.id] = term.frequency;
    added.push({ text, term });
  }
  return { frequencies, newTerms: added };
}

/** Weights of all terms, and the ids of those whose weight changed. */
export interface Reweighed {
  readonly weights: Uint8Array;
  readonly changed: readonly number[];
}

/** @param before the shape until now; @param shape the shape from now on */
export function writeWeightsAnew(
  tables: SearchTables,
  before: IndexShape,
  shape: IndexShape,
  census: Census,
): Reweighed {
  const old = readWeights(tables, before);
  const weights = weigh(tables, shape, census);
  const changed: number[] = [];
  const chunks = new Set<number>();
  for (let id = 0; id < weights.length; id++) {
    if (weights[id] === old[id]) continue;
    chunks.add(Math.floor(id / weightsPerChunk));
    // Skip terms that no company has.
    if ((census.frequencies[id] ?? 0) > 0) changed.push(id);
  }
  for (const chunk of chunks) {
    const first = chunk * weightsPerChunk;
    tables.weights.putSync(chunk, Buffer.from(weights.subarray(first, first + weightsPerChunk)));
  }
  return { weights, changed };
}

function weigh(tables: SearchTables, shape: IndexShape, { frequencies, newTerms }: Census): Uint8Array {
  const weights = new Uint8Array(frequencies.length);
  // Compute the weights of rare frequencies once: most terms share one of them.
  const ofRare = Uint8Array.from({ length: 4_096 }, (_, frequency) =>
    weightOf(frequency, shape.documents, false),
  );
  for (let id = 0; id < weights.length; id++) {
    const frequency = frequencies[id] ?? 0;
    weights[id] = ofRare[frequency] ?? weightOf(frequency, shape.documents, false);
  }
  const old = openOldTerms(tables, shape, withoutTimeLimit());
  weights.fill(formWeight, shape.formsFrom, shape.formsTo);
  weights.fill(formWeight, ...old.range(filterMark));
  for (const { text, term } of newTerms) {
    if (text.startsWith(filterMark)) weights[term.id] = formWeight;
    else if (isLight(text)) weights[term.id] = weightOf(term.frequency, shape.documents, true);
  }
  for (const text of lightWords) {
    const term = old.find(text);
    if (term !== null) weights[term.id] = weightOf(term.frequency, shape.documents, true);
  }
  return weights;
}
