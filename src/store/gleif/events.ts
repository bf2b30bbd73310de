/** Renders the events of a company, which are stored as JSON, as GLEIF's API does. */
import type { Static } from '@sinclair/typebox';
import type { EventGroupSchema } from '../../lei/company-parts.ts';
import { piece } from '../../protocol/json-bytes.ts';
import type { PutPart } from '../packed-json.ts';
import { seconds } from './parts.ts';

type StoredEventGroup = Static<typeof EventGroupSchema>;

const noGroups = piece('[]');

export const putEventGroups: PutPart = (out, bytes, from, to) => {
  if (from === to) {
    out.put(noGroups);
    return;
  }
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
  const groups: readonly StoredEventGroup[] = JSON.parse(stored);
  out.text(JSON.stringify(groups.map(groupShown)));
};

function groupShown({ groupType, events }: StoredEventGroup) {
  return { groupType, events: events.map(eventShown) };
}

/** Absent references and affected fields are left out. */
function eventShown(event: StoredEventGroup['events'][number]) {
  const { validationReference, affectedFields } = event;
  return {
    validationDocuments: event.validationDocuments,
    ...(validationReference === null ? {} : { validationReference }),
    effectiveDate: seconds(event.effectiveDate),
    recordedDate: seconds(event.recordedDate),
    type: event.type,
    status: event.status,
    ...(affectedFields.length === 0
      ? {}
      : { affectedFields: affectedFields.map(({ value, xpath }) => ({ value, xpath })) }),
  };
}
