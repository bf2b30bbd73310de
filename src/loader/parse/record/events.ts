/**
 * Legal entity events are published as one flat list whose items name their group; the service shows the groups.
 *
 * Events with the same group type and id belong together. One without an id stands alone, but for those of another
 * type than STANDALONE: the parts of, say, one CHANGE_LEGAL_FORM_AND_NAME are joined even where the id is missing,
 * since a group of that type with one part has no meaning.
 */
import type { EventGroup } from '../../../lei/company-parts.ts';
import type { PublishedEvent } from '../../../lei/level-1-fields.ts';
import { quoted, type RecordReport } from './report.ts';

/** Groups in the order of their first event; events by sequence number where all of a group have one. */
export function groupEvents(published: readonly PublishedEvent[]): EventGroup[] {
  const groups: EventGroup[] = [];
  for (const { groupType, groupId, event } of published) {
    const alone = groupId === null && (groupType === null || groupType === 'STANDALONE');
    const group = alone
      ? undefined
      : groups.find((other) => other.groupType === groupType && other.groupId === groupId);
    if (group === undefined) groups.push({ groupType, groupId, events: [event] });
    else group.events.push(event);
  }
  for (const { events } of groups) {
    if (events.length > 1 && events.every((event) => event.sequence !== null)) {
      events.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    }
  }
  return groups;
}

/** The position of an event within its group; a text that is no positive whole number is absent, with a remark. */
export function readSequence(text: string | null, column: string, report: RecordReport): number | null {
  if (text === null) return null;
  if (/^\+?0*[1-9]\d{0,8}$/.test(text)) return Number(text);
  report.remark(column, `${quoted(text)} is not a positive whole number; the event is kept without it`);
  return null;
}
