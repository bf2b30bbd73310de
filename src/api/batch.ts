/** The common parts of operations on up to 100 identifiers: the list in a parameter, its cost, and the question. */

import type { Cost, QuestionContext } from '../http/definition.ts';
import { checkedIdentifiers, type OwnParameter } from '../http/parameters.ts';
import { type ParameterFault, problemMembers } from '../http/problem-kinds.ts';
import { ProblemSchema } from '../lei/answers.ts';
import type { MappingKind } from '../lei/identifier-kinds.ts';
import type { IdentifierCheck } from '../lei/identifiers.ts';
import { nullable } from '../lei/schema.ts';
import { type BatchItem, type BatchQuestion, valueMark } from '../protocol/ext-questions.ts';

/** Values in one request. */
export const batchMax = 100;
const separator = ',';

/** The member of each item of an answer beside its data. */
export const itemProblem = nullable(
  ProblemSchema,
  'Why the item has no answer; null if it has one. The request itself succeeded.',
);

type BatchKind = 'lei' | MappingKind;

/** The values of a list, in the order asked. */
export function valuesOf(list: string): readonly string[] {
  return list.split(separator);
}

/** How many values a list has. */
function sizeOf(list: string): number {
  let size = 1;
  for (let at = list.indexOf(separator); at >= 0; at = list.indexOf(separator, at + 1)) size++;
  return size;
}

/** One look-up for each value. A request that gets 400 costs one. */
export const lookUpEach: Cost = {
  window: 'lookup',
  units(given) {
    const faults: ParameterFault[] = [];
    const [list = '', ...more] = given.query(faults)?.values() ?? [];
    const size = sizeOf(list);
    return faults.length > 0 || more.length > 0 || size > batchMax ? 1 : size;
  },
};

/** The values of a request, in the order asked. */
export interface CheckedList {
  readonly kind: BatchKind;
  /** The first {@link batchMax}: a list with more is refused, and checking thousands would hold the front. */
  readonly values: readonly CheckedValue[];
  /** How many values there are. */
  readonly size: number;
}

interface CheckedValue {
  /** As answers show it: an identifier as its check writes it, another text as it was sent. */
  readonly value: string;
  readonly check: IdentifierCheck;
}

/** @param required says why the parameter is required; null if it is optional */
export function listParameter<Required extends string | null>(
  kind: BatchKind,
  required: Required,
): OwnParameter<CheckedList, Required> {
  const { example, description, check: checkOne } = checkedIdentifiers[kind];
  return {
    read(text) {
      const values = text.split(separator, batchMax).map((sent) => {
        const check = checkOne(sent);
        return { value: check.ok ? check.value : sent, check };
      });
      return { kind, values, size: sizeOf(text) };
    },
    spell: ({ values }) => values.map(({ value }) => value).join(separator),
    required,
    isList: true,
    description: `Up to ${batchMax} values, separated by commas, in any case. A value may occur several times; each one costs a look-up. ${description}`,
    schema: { type: 'string', minLength: 1 },
    example,
  };
}

/** @param most values that the caller may ask for at once */
export function sizeFaults({ kind, size }: CheckedList, most: number): readonly ParameterFault[] {
  if (size <= most) return [];
  const why = most < batchMax ? 'the maximum that your limits allow' : 'the maximum of one request';
  return [{ parameter: kind, detail: `must hold at most ${most} values, ${why}; it holds ${size}` }];
}

export function batchQuestion(
  { kind, values }: CheckedList,
  { id, baseUrl, inParts = false }: QuestionContext,
): BatchQuestion {
  const name = kind.toUpperCase();
  const notFound = problemMembers(baseUrl, {
    name: 'not-found',
    detail: `${name} ${valueMark} was not found in dataset version ${id}.`,
  });
  const items = values.map((each) => itemOf(kind, each, baseUrl));
  return { kind: 'batch', of: kind, items, notFound: JSON.stringify(notFound), inParts };
}

function itemOf(kind: BatchKind, { value, check }: CheckedValue, baseUrl: string): BatchItem {
  if (check.ok) return value;
  const errors = [{ parameter: kind, detail: check.reason }];
  const members = problemMembers(baseUrl, { name: 'invalid-identifier', detail: check.reason });
  return { value, problem: JSON.stringify({ ...members, errors }) };
}
