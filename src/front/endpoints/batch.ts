/** What operations on up to 100 identifiers share: the list in a parameter, its cost, and the question. */
import type { IdentifierKind } from '../../lei/identifier-kinds.ts';
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

/** One look-up for each value. A request that is answered 400 costs one. */
export function lookUpEach(names: readonly Batched[]): Cost {
  return {
    window: 'lookup',
    units({ url }) {
      const faults: ParameterFault[] = [];
      const question = url.indexOf('?');
      const given = question === -1 ? [] : [...readQuery(url.slice(question + 1), names, faults).values()];
      const [list = '', ...more] = given;
      const size = valuesOf(list).length;
      return faults.length > 0 || more.length > 0 || size > batchMax ? 1 : size;
    },
  };
}

/** @param required says why the parameter can't be left out; null where it can */
export function listParameter(kind: Batched, required: string | null): OwnParameter {
  const { example } = subjects[kind];
  return {
    read: (value) => valuesOf(value).map(upperCased(kind)).join(separator),
    required,
    description: `Up to ${batchMax} values, separated by commas, in any case. A value may come several times; each costs a look-up. ${subjects[kind].description}`,
    schema: { type: 'string', minLength: 1 },
    example,
  };
}

function upperCased(kind: Batched) {
  return (value: string): string => {
    const check = subjects[kind].check(value);
    return check.ok ? check.value : value;
  };
}

export function batchQuestion(kind: Batched, list: string, { id, baseUrl }: QuestionContext): BatchQuestion {
  const name = kind.toUpperCase();
  const notFound = problemMembers(baseUrl, {
    name: 'not-found',
    detail: `${name} ${valueMark} was not found in dataset version ${id}.`,
  });
  const items = valuesOf(list).map((value) => itemOf(kind, value, baseUrl));
  return { kind: 'batch', of: kind, items, notFound: JSON.stringify(notFound) };
}

function itemOf(kind: Batched, value: string, baseUrl: string): BatchItem {
  const check = subjects[kind].check(value);
  if (check.ok) return { value: check.value, problem: null };
  const errors = [{ parameter: kind, detail: check.reason }];
  const members = problemMembers(baseUrl, { name: 'invalid-identifier', detail: check.reason });
  return { value, problem: JSON.stringify({ ...members, errors }) };
}
