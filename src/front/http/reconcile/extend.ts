/** Answers data extension: values of properties of up to 100 companies, and the proposal of properties. */
import type { Unavailability } from '../../../protocol/questions.ts';
import { isFields } from '../../../state/records.ts';
import { subjects } from '../../endpoints/subjects.ts';
import { reconcileLimits } from './limits.ts';
import { type Company, legalEntity, properties, propertyOf } from './properties.ts';
import { parseJson } from './queries.ts';
import { type Ask, faulty, statically, type Task, textOf } from './task.ts';

type Properties = typeof properties;

/** A task for the text of `extend`: one look-up for each id. */
export function extendTask(text: string): Task {
  const asked = parseJson(text);
  const ids = isFields(asked) ? textsOf(asked['ids']) : null;
  const wanted = isFields(asked) ? idsOf(asked['properties']) : null;
  if (ids === null || wanted === null) {
    return faulty('extend', 'must be a JSON object with the lists ids and properties, form-encoded');
  }
  const found = wanted.flatMap((id) => propertyOf(id) ?? []);
  if (found.length < wanted.length) {
    const known = properties.map(({ id }) => id).join(', ');
    return faulty('extend', `must name properties of this service, which are ${known}`);
  }
  const { idsMax } = reconcileLimits;
  if (ids.length > idsMax) return faulty('extend', `must hold at most ${idsMax} ids; it holds ${ids.length}`);
  return {
    window: 'lookup',
    units: Math.max(1, ids.length),
    list: 'extend',
    answer: (ask) => extended(ids, found, ask),
  };
}

function textsOf(list: unknown): readonly string[] | null {
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : null;
}

function idsOf(list: unknown): readonly string[] | null {
  return Array.isArray(list)
    ? textsOf(list.map((item: unknown) => (isFields(item) ? item['id'] : null)))
    : null;
}

async function extended(ids: readonly string[], wanted: Properties, ask: Ask) {
  const rows = await Promise.all(ids.map((id) => rowOf(id, wanted, ask)));
  const reason = rows.find((row) => typeof row === 'string');
  if (reason !== undefined) return { outcome: 'unavailable', reason } as const;
  const meta = wanted.map(({ id, name }) => ({ id, name }));
  return {
    outcome: 'json',
    value: { meta, rows: Object.fromEntries(ids.map((id, at) => [id, rows[at]])) },
  } as const;
}

type Row = Readonly<Record<string, readonly unknown[]>>;

/** An unknown company has no values. */
async function rowOf(id: string, wanted: Properties, ask: Ask): Promise<Row | Unavailability> {
  const check = subjects.lei.check(id);
  if (!check.ok) return valuesOf(null, wanted);
  return ask({ kind: 'company', lei: check.value }, (answer) => {
    if (answer.outcome === 'unavailable') return answer.reason;
    return valuesOf(answer.outcome === 'found' ? JSON.parse(textOf(answer.data)) : null, wanted);
  });
}

function valuesOf(company: Company | null, wanted: Properties): Row {
  return Object.fromEntries(
    wanted.map(({ id, values }) => [id, company === null ? [] : values(company)] as const),
  );
}

/** The properties that data extension offers. A `limit` that is not a count is ignored. */
export function proposalTask(parameters: URLSearchParams): Task {
  const given = Number(parameters.get('limit') ?? '');
  const limit = Number.isInteger(given) && given > 0 ? given : null;
  return statically(0, () => ({
    properties: properties.slice(0, limit ?? properties.length).map(({ id, name, description }) => ({
      id,
      name,
      description,
    })),
    type: parameters.get('type') ?? legalEntity.id,
    ...(limit === null ? {} : { limit }),
  }));
}
