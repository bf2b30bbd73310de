/** Renders the events of a company as GLEIF's API does. */
import type { Static } from '@sinclair/typebox';
import type { EventGroupSchema } from '../../lei/company-parts.ts';
import { JsonBytes, piece } from '../../protocol/json-bytes.ts';
import { companyPlaces, slotOf } from '../company-fields.ts';
import { type PutPart, putValue } from '../packed-json.ts';
import { seconds } from './parts.ts';

type ShownEventGroup = Static<typeof EventGroupSchema>;

const noGroups = piece('[]');
const putShown = companyPlaces[slotOf('entity.eventGroups')]?.put ?? putValue;
/** The events as the service's own answers show them. */
const shown = new JsonBytes();

export const putEventGroups: PutPart = (out, bytes, from, to) => {
  if (from === to) {
    out.put(noGroups);
    return;
  }
  shown.begin();
  putShown(shown, bytes, from, to);
  const groups: readonly ShownEventGroup[] = JSON.parse(shown.toString());
  out.text(JSON.stringify(groups.map(groupShown)));
};

function groupShown({ groupType, events }: ShownEventGroup) {
  return { groupType, events: events.map(eventShown) };
}

/** Absent references and affected fields are left out. */
function eventShown(event: ShownEventGroup['events'][number]) {
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
