/** Lists of one company, in pages. getChildren: its children of one kind, by name. getCompanyIsins: all its ISINs. */
import { noNotices } from '../lei/notices.ts';
import { childTypes } from '../lei/relationship-codes.ts';
import type { ChildrenQuestion, IsinsQuestion } from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader, StoredRelationship } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { found, notFound, out, putList, putShown, textOrNull } from './answers.ts';
import { queryLimits } from './limits.ts';
import { recordOf } from './look-ups.ts';
import { byName, compare, isCurrent, nameMembers, type RelatedCompany } from './related.ts';

interface ChildCompany extends RelatedCompany {
  readonly stored: StoredRelationship;
}

/**
 * A page's position is the number of children before it; a cursor pins it to the publication.
 * @param members that are written about each child
 */
export function* answerChildren(
  publication: PublicationReader,
  { lei, of, after, limit }: Omit<ChildrenQuestion, 'kind'>,
  members = nameMembers,
): Steps<Answer> {
  const entity = recordOf(publication, lei);
  if (entity === null) return notFound;
  const { name } = publication.summary(entity);
  const children: ChildCompany[] = [];
  for (const [index, stored] of (yield* publication.relationshipsInSteps(entity)).asEnd.entries()) {
    if (index > 0 && index % queryLimits.itemsPerStep === 0) yield;
    if (isCurrent(stored, childTypes[of])) children.push(childOf(publication, stored));
  }
  children.sort((a, b) => byName(a, b) || compare(a.stored.type, b.stored.type));
  const from = after === null ? 0 : Number(after);
  const to = from + limit;
  out.begin();
  out.text(`{"lei":"${lei}","name":${textOrNull(name)},"kind":"${of}","total":${children.length},"items":`);
  putList(out, children.slice(from, to), (child) => putChild(publication, child, members));
  out.text('}');
  return found(out, noNotices, to < children.length ? String(to) : null);
}

function childOf(publication: PublicationReader, stored: StoredRelationship): ChildCompany {
  const { lei, name } = publication.summary(stored.start);
  return { lei, name, stored };
}

function putChild(
  publication: PublicationReader,
  { stored }: ChildCompany,
  members: typeof nameMembers,
): void {
  out.text('{');
  putShown(out, publication.summary(stored.start), members);
  out.text(',"relationship":');
  stored.put(out);
  out.text('}');
}

export function answerIsins(publication: PublicationReader, question: IsinsQuestion): Answer {
  const { lei, after, limit } = question;
  const entity = recordOf(publication, lei);
  if (entity === null) return notFound;
  const { name } = publication.summary(entity);
  const { total, items, next } = publication.isins(entity, after, limit);
  out.begin();
  out.text(`{"lei":"${lei}","name":${textOrNull(name)},"total":${total},"items":${JSON.stringify(items)}}`);
  return found(out, noNotices, next);
}
