/**
 * Groups legal entity events, which are published as one flat list whose items name their group.
 *
 * Events with the same group type and id belong together. A STANDALONE event without an id stays alone. The parts of
 * any other type, such as CHANGE_LEGAL_FORM_AND_NAME, are joined even without an id, because a group of that type with
 * one part is meaningless.
 */
import type { EventGroup } from '../../../lei/company-parts.ts';
import type { PublishedEvent } from '../../../lei/fields.ts';
import { quoted, type RecordReport } from './report.ts';

/** Groups in the order of their first event; events by sequence number if all of a group have one. */
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

/**
 * The position of an event within its group; a text that is not a positive whole number becomes absent, with a remark.
 */
export function readSequence(text: string | null, column: string, report: RecordReport): number | null {
  if (text === null) return null;
  if (/^\+?0*[1-9]\d{0,8}$/.test(text)) return Number(text);
  report.remark(column, `${quoted(text)} is not a positive whole number; the event is kept without it`);
  return null;
}
