/**
 * Generates the questions of a bench about generated data, drawn from the generator itself instead of from its files.
 * The same seed gives the same questions.
 */

import { publishedAt } from '../../../src/generate/dates.ts';
import { entityRecord } from '../../../src/generate/entities.ts';
import { mappingPairs } from '../../../src/generate/mappings.ts';
import { purposes, Random } from '../../../src/generate/random.ts';
import { createWorld, type World } from '../../../src/generate/world.ts';

export const kinds = ['look-up', 'look-up, Zipf', 'search', 'relationships', 'ISIN', 'mix'] as const;
export type Kind = (typeof kinds)[number];

/** One question: its path, and a text that a right answer contains. */
export interface Ask {
  readonly path: string;
  readonly proof: string;
  readonly kind: Exclude<Kind, 'mix' | 'look-up, Zipf'>;
  /** The LEI, name or ISIN asked for. */
  readonly value: string;
  /** The company from whose name a search was made. */
  readonly lei?: string;
}

export type Questions = Readonly<Record<Kind, readonly Ask[]>>;

const lookUps = 20_000;
const others = 4_000;

/** The look-up of one company. */
export function lookUp(lei: string): Ask {
  return { path: `/api/v1/lei/${lei}`, proof: `"lei":"${lei}"`, kind: 'look-up', value: lei };
}

/** The text that an answer to a path must contain. */
export function proofOf(path: string): string {
  const url = new URL(path, 'http://127.0.0.1');
  const text = url.searchParams.get('q');
  if (text !== null) return `"query":{"q":${JSON.stringify(text.trim())},`;
  const identifier = /^\/api\/v1\/[a-z]+\/([^/]+)/.exec(url.pathname)?.[1];
  return identifier === undefined ? '"data":' : `"${identifier.toUpperCase()}`;
}

/** A path in the encoding of browsers and clients, so that every server gets the same bytes. */
export function searchPath(text: string): string {
  return `/api/v1/search?q=${encodeURIComponent(text).replaceAll("'", '%27')}`;
}

/** Searches as people write them: a whole name, two of its words, a beginning, one word. */
function searchFor(world: World, random: Random): Ask {
  const record = entityRecord(world, random.below(world.entities), publishedAt);
  const name = record.entity.legalName.name ?? '';
  const words = name.split(' ');
  const draw = random.unit();
  let text = name;
  if (draw > 0.5 && words.length > 2) text = words.slice(0, 2).join(' ');
  if (draw > 0.8 && words.length > 1) text = `${words[0] ?? ''} ${(words[1] ?? '').slice(0, 4)}`;
  if (draw > 0.95) text = words.find((word) => word.length > 3) ?? name;
  const value = [...text.trim()].length < 2 ? name : text.trim();
  const path = searchPath(value);
  return { path, proof: proofOf(path), kind: 'search', value, lei: record.lei };
}

/** Relationship questions, half of them about companies with parents or children. */
function relationshipsOf(world: World, random: Random): Ask {
  let entity = random.below(world.entities);
  for (let tries = 0; tries < 40 && world.role(entity).kind === 'alone'; tries++) {
    entity = random.below(world.entities);
  }
  const lei = world.lei(entity);
  return {
    path: `/api/v1/lei/${lei}/relationships`,
    // The look-up of the same company uses the same entity.
    proof: `{"data":{"lei":"${lei}","name":`,
    kind: 'relationships',
    value: lei,
  };
}

function isins(world: World): Ask[] {
  const list: Ask[] = [];
  const step = Math.max(1, Math.floor((world.entities * 2.68) / others));
  let index = 0;
  for (const [lei, isin] of mappingPairs.isin(world).pairs({ from: 0, to: world.entities })) {
    if (index++ % step !== 0) continue;
    list.push({ path: `/api/v1/isin/${isin}`, proof: lei, kind: 'ISIN', value: isin });
  }
  return list;
}

/** Mostly look-ups; the shares of the others follow the logs of such services. */
function mixOf(questions: Omit<Questions, 'mix'>, random: Random): Ask[] {
  const from = (list: readonly Ask[]) => random.pick(list);
  return Array.from({ length: lookUps }, () => {
    const draw = random.unit();
    if (draw < 0.7) return from(questions['look-up, Zipf']);
    if (draw < 0.85) return from(questions.search);
    return draw < 0.93 ? from(questions.ISIN) : from(questions.relationships);
  });
}

/** Creates the questions about the full set of `entities` and `seed`. */
export function createQuestions(entities: number, seed: number): Questions {
  const world = createWorld(seed, entities);
  const random = new Random().start(seed, purposes.market, entities);
  const uniform = Array.from({ length: Math.min(lookUps, entities) }, () =>
    lookUp(world.lei(random.below(entities))),
  );
  const zipf = Array.from(
    { length: lookUps },
    () => uniform[random.zipf(uniform.length)] ?? random.pick(uniform),
  );
  const search = Array.from({ length: others }, () => searchFor(world, random));
  const relationships = Array.from({ length: others }, () => relationshipsOf(world, random));
  const simple = { 'look-up': uniform, 'look-up, Zipf': zipf, search, relationships, ISIN: isins(world) };
  return { ...simple, mix: mixOf(simple, random) };
}
