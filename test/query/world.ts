/** Builds companies in memory and the relationships between them for tests of questions. */
import type { Relationship, RelationshipRecord } from '../../src/lei/relationship.ts';
import type { Answer, TextQuestion } from '../../src/protocol/questions.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { jsonIn } from '../support/answers.ts';
import { memoryPublication } from '../support/memory-publication.ts';

export const id = '20261004T160000Z-00000001';
export const ultimate = { type: 'IS_ULTIMATELY_CONSOLIDATED_BY' };

export type Pairs = readonly (readonly [child: number, parent: number, traits?: object])[];

/** The LEI of a company by its number. */
export function leiOf(n: number): string {
  return `COMPANY${String(n).padStart(13, '0')}`;
}

/** The numbers of companies by their LEIs. */
export function numbers({ nodes }: { readonly nodes: readonly { readonly lei: string }[] }): number[] {
  return nodes.map(({ lei }) => Number(lei.slice('COMPANY'.length)));
}

/** A publication of companies 0 to `size` − 1, every third of which has the same name. @param traits by number */
export function world(size: number, pairs: Pairs, traits: Readonly<Record<number, object>> = {}) {
  return memoryPublication({
    id,
    companies: Array.from({ length: size }, (_, n) => ({
      lei: leiOf(n),
      name: `Company ${n % 3}`,
      ...traits[n],
    })),
    relationships: pairs.map(([child, parent, of]) => relationship(leiOf(child), leiOf(parent), of)),
  });
}

/** The JSON of the answer. @throws if the question finds nothing */
export function dataOf(publication: PublicationReader, question: TextQuestion) {
  return dataIn(answerQuestion(publication, question));
}

/** The JSON of an answer. @throws if nothing was found */
export function dataIn(answer: Answer) {
  if (answer.outcome !== 'found') throw new Error(answer.outcome);
  return jsonIn(answer.data);
}

/** A relationship record: active and of a direct parent, unless the traits say otherwise. */
export function relationship(
  start: string,
  end: string,
  { type = 'IS_DIRECTLY_CONSOLIDATED_BY', status = 'ACTIVE', updated = '2024-01-01T00:00:00Z' } = {},
): RelationshipRecord {
  const nothing = { sources: null, documents: null, reference: null };
  const registration: Relationship['registration'] = {
    // RelationshipStatus alone decides, whatever the registration says.
    status: 'LAPSED',
    initialRegistrationDate: null,
    lastUpdateDate: updated,
    nextRenewalDate: null,
    managingLou: null,
  };
  const rest = { periods: [], qualifiers: [], quantifiers: [], validation: nothing, registration };
  return { start, end, relationship: { type, status, ...rest } };
}
