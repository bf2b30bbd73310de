/** getChildren: the children of a company of one kind, by name, in pages. */
import { childTypes, currentStatus } from '../lei/relationship.ts';
import type { ChildrenQuestion } from '../protocol/ext-questions.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader, StoredRelationship } from '../store/publication-reader.ts';
import { found, notFound, textOrNull } from './answers.ts';
import { putList } from './json-parts.ts';

interface Child {
  readonly lei: string;
  /** Null if it has no record here. */
  readonly name: string | null;
  readonly stored: StoredRelationship;
}

/** Shared by all answers: each leaves the thread before the next is made. */
const out = new JsonBytes();

/** A page's position is the number of children before it; a cursor pins it to the publication. */
export function answerChildren(publication: PublicationReader, question: ChildrenQuestion): Answer {
  const { lei, of, after, limit } = question;
  const entry = publication.find(lei);
  if (entry === null || !entry.hasRecord) return notFound;
  const { name } = publication.summary(entry.entity);
  const types: readonly string[] = childTypes[of];
  const children = publication
    .relationships(entry.entity)
    .asEnd.filter(({ type, status }) => status === currentStatus && types.includes(type))
    .map((stored) => childOf(publication, stored))
    .sort(byName);
  const from = after === null ? 0 : Number(after);
  const to = from + limit;
  out.begin();
  out.text(`{"lei":"${lei}","name":${textOrNull(name)},"kind":"${of}","total":${children.length},"items":`);
  putList(out, children.slice(from, to), putChild);
  out.text('}');
  return found(out, undefined, to < children.length ? String(to) : null);
}

function childOf(publication: PublicationReader, stored: StoredRelationship): Child {
  const { lei, name } = publication.summary(stored.start);
  return { lei, name, stored };
}

function putChild({ lei, name, stored }: Child): void {
  out.text(`{"lei":"${lei}","name":${textOrNull(name)},"relationship":`);
  stored.put(out);
  out.text('}');
}

/** In code unit order, children without a name last; then by LEI, then by type. */
function byName(a: Child, b: Child): number {
  return (
    Number(a.name === null) - Number(b.name === null) ||
    compare(a.name ?? '', b.name ?? '') ||
    compare(a.lei, b.lei) ||
    compare(a.stored.type, b.stored.type)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
