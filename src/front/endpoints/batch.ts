/** What operations on up to 100 identifiers share: the list in a parameter, its cost, and the question. */

import type { IdentifierKind } from '../../lei/identifier-kinds.ts';
import type { IdentifierCheck } from '../../lei/identifiers.ts';
import { type BatchItem, type BatchQuestion, valueMark } from '../../protocol/ext-questions.ts';
import { readQuery } from '../http/query-string.ts';
import { type ParameterFault, problemMembers } from '../problems.ts';
import type { Cost, QuestionContext } from './endpoint.ts';
import type { OwnParameter } from './parameters.ts';
import { subjects } from './subjects.ts';

/** Values in one request. */
export const batchMax = 100;
const separator = ',';

type Batched = 'lei' | IdentifierKind;

/** The values of a list, in the order asked. */
export function valuesOf(list: string): readonly string[] {
  return list.split(separator);
}

/** How many values a list has. */
export function sizeOf(list: string): number {
  let size = 1;
  for (let at = list.indexOf(separator); at >= 0; at = list.indexOf(separator, at + 1)) size++;
  return size;
}

/** One look-up for each value. A request that is answered 400 costs one. */
export function lookUpEach(names: readonly Batched[]): Cost {
  return {
    window: 'lookup',
    units({ url }) {
      const faults: ParameterFault[] = [];
      const question = url.indexOf('?');
      const given = question === -1 ? [] : [...readQuery(url.slice(question + 1), names, faults).values()];
      const [list = '', ...more] = given;
      const size = sizeOf(list);
      return faults.length > 0 || more.length > 0 || size > batchMax ? 1 : size;
    },
  };
}

/** @param required says why the parameter can't be left out; null where it can */
export function listParameter(kind: Batched, required: string | null): OwnParameter {
  const { example } = subjects[kind];
  return {
    read: (value) => checkedList(kind, value).list,
    required,
    description: `Up to ${batchMax} values, separated by commas, in any case. A value may come several times; each costs a look-up. ${subjects[kind].description}`,
    schema: { type: 'string', minLength: 1 },
    example,
  };
}

interface CheckedList {
  readonly kind: Batched;
  /** Its values as answers show them: identifiers in upper case, others as they were sent. */
  readonly list: string;
  readonly values: readonly CheckedValue[];
}

interface CheckedValue {
  readonly value: string;
  readonly check: IdentifierCheck;
}

/** The list that was checked last: a request's question is made of it right after its parameter was read. */
let lastChecked: CheckedList | null = null;

function checkedList(kind: Batched, text: string): CheckedList {
  if (lastChecked?.kind === kind && lastChecked.list === text) return lastChecked;
  const values = valuesOf(text).map((sent) => {
    const check = subjects[kind].check(sent);
    return { value: check.ok ? check.value : sent, check };
  });
  const list = values.map(({ value }) => value).join(separator);
  lastChecked = { kind, list, values };
  return lastChecked;
}

export function batchQuestion(kind: Batched, list: string, { id, baseUrl }: QuestionContext): BatchQuestion {
  const name = kind.toUpperCase();
  const notFound = problemMembers(baseUrl, {
    name: 'not-found',
    detail: `${name} ${valueMark} was not found in dataset version ${id}.`,
  });
  const items = checkedList(kind, list).values.map((each) => itemOf(kind, each, baseUrl));
  return { kind: 'batch', of: kind, items, notFound: JSON.stringify(notFound), inParts: false };
}

function itemOf(kind: Batched, { value, check }: CheckedValue, baseUrl: string): BatchItem {
  if (check.ok) return value;
  const errors = [{ parameter: kind, detail: check.reason }];
  const members = problemMembers(baseUrl, { name: 'invalid-identifier', detail: check.reason });
  return { value, problem: JSON.stringify({ ...members, errors }) };
}
