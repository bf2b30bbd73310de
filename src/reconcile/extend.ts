/** Answers data extension: values of properties of up to 100 companies, and the proposal of properties. */
import { isFields } from '../accounts/state/records.ts';
import { readJson } from '../http/bodies/read-json.ts';
import { subjects } from '../http/parameters.ts';
import type { Task, TaskOutcome } from '../http/task-route.ts';
import { faulty } from '../http/tasks.ts';
import { legalEntity, properties, propertyOf } from '../lei/company-properties.ts';
import type { ExtensionRow } from '../protocol/ext-questions.ts';
import { bytesOf, reconcileLimits, statically, unexpected } from './task.ts';

const { idsMax, propertiesMax } = reconcileLimits;

/** A task for the text of `extend`: one look-up for each id. */
export function extendTask(text: string): Task {
  const read = readJson(text);
  if (!read.ok) return faulty('extend', read.fault);
  const ids = isFields(read.value) ? textsOf(read.value['ids'], (id) => id) : null;
  const wanted = isFields(read.value) ? textsOf(read.value['properties'], idOf) : null;
  if (ids === null || wanted === null) {
    return faulty('extend', 'must be a JSON object with the lists ids and properties, form-encoded');
  }
  const fault = faultIn(ids, wanted);
  if (fault !== null) return faulty('extend', fault);
  const rows = distinct(ids).map(rowOf);
  const asked = distinct(wanted);
  return {
    window: 'lookup',
    units: Math.max(1, ids.length),
    list: 'extend',
    answer: (ask) =>
      ask({ kind: 'extension', rows, properties: asked }, (answer): TaskOutcome => {
        if (answer.outcome === 'unavailable') return { ...answer, computed: 0 };
        if (answer.outcome !== 'found') throw unexpected(answer);
        const start = `{"meta":${JSON.stringify(asked.map(metaOf))},"rows":`;
        return { outcome: 'json', json: bytesOf(start, answer.data, '}') };
      }),
  };
}

function faultIn(ids: readonly string[], wanted: readonly string[]): string | null {
  if (ids.length > idsMax) return `must hold at most ${idsMax} ids; it holds ${ids.length}`;
  if (wanted.length > propertiesMax) {
    return `must hold at most ${propertiesMax} properties; it holds ${wanted.length}`;
  }
  if (wanted.every((id) => propertyOf(id) !== null)) return null;
  return `must name properties of this service, which are ${properties.map(({ id }) => id).join(', ')}`;
}

/** Null if the list is none, or an item of it is no text. */
function textsOf(list: unknown, textIn: (item: unknown) => unknown): readonly string[] | null {
  if (!Array.isArray(list)) return null;
  const texts = list.map(textIn);
  return texts.every((text) => typeof text === 'string') ? texts : null;
}

function idOf(item: unknown): unknown {
  return isFields(item) ? item['id'] : null;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function rowOf(id: string): ExtensionRow {
  const check = subjects.lei.check(id);
  return { id, lei: check.ok ? check.value : null };
}

function metaOf(id: string) {
  return { id, name: propertyOf(id)?.name };
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
