/** Tests what a match of names answers, over a publication of companies with given names. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Match, matchCompany, type Verdict } from '../../src/query/match.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { company, operator } from '../loader/publishing.ts';

/** The question, the verdict, and the first candidate where it is told. */
export type NameQuestion = readonly [question: string, verdict: Verdict, best?: string];

interface NamedWorld {
  readonly names: readonly string[];
  /** Of all companies. */
  readonly country: string;
  /** Of all companies; they are no funds without it. */
  readonly category?: 'FUND';
  /** Of all questions. */
  readonly askedCountry: string | null;
}

/** Asks for the company of a name, and of an LEI beside it. */
type Ask = (name: string, lei?: string | null) => Match;

/** Loads companies with these names, and tests each question. @returns how to ask others in further tests */
export function testNameQuestions(world: NamedWorld, questions: readonly NameQuestion[]): Ask {
  let publication: PublicationReader | null = null;
  beforeAll(async () => {
    const someone = operator();
    const companies = world.names.map((name, n) =>
      company(n + 1, {
        name,
        country: world.country,
        legalForm: '9999',
        category: world.category ?? 'GENERAL',
      }),
    );
    await someone.load({ at: '2026-01-01T00:00:00Z', companies });
    publication = await someone.open();
  });
  afterAll(() => publication?.close());
  const ask: Ask = (name, lei = null) => {
    if (publication === null) throw new Error('Nothing is loaded yet.');
    const nothing = { city: null, registrationNumber: null };
    return matchCompany(publication, { name, country: world.askedCountry, ...nothing, lei });
  };
  describe('a match', () => {
    for (const [name, verdict, best] of questions) {
      test(`of ${JSON.stringify(name)} is ${best ?? 'none of the known companies for sure'}`, () => {
        const found = ask(name);
        expect([found.verdict, best && found.candidates[0]?.name]).toEqual([verdict, best]);
      });
    }
  });
  return ask;
}
