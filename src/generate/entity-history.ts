/** Generates the times of a level 1 record: registration, creation, expiration, successors and events. */
import type { EventGroup, LegalEntityEvent } from '../lei/company-parts.ts';
import { filled } from './addresses.ts';
import { issuerTime, midnight, secondsPerDay } from './dates.ts';
import { eventTypes, registrationYears } from './entity-shares.ts';
import { companyCore } from './names.ts';
import type { RecordDraft } from './world.ts';

/** In seconds since 1970. */
export interface Times {
  readonly registered: number;
  readonly updated: number;
  readonly renewal: number;
}

export function timesOf({ random, status, now }: RecordDraft): Times {
  const year = registrationYears.choose(random);
  const start = Date.UTC(year, year === 2012 ? 5 : 0, 1) / 1000;
  const end = Math.min(now, Date.UTC(year + 1, 0, 1) / 1000);
  const registered = Math.floor(start + (end - start) * random.unit());
  const age = now - registered;
  const annual = 365 * secondsPerDay;
  if (status === 'ISSUED' || status === 'PENDING_TRANSFER') {
    const updated = Math.max(registered, now - Math.floor(annual * random.unit() ** 1.5));
    return { registered, updated, renewal: midnight(now + Math.floor(annual * random.unit())) };
  }
  const updated = registered + Math.floor(age * random.unit());
  return { registered, updated, renewal: midnight(Math.min(now - secondsPerDay, updated + annual)) };
}

/** Most companies are a few years older than their LEI, some are centuries old. */
export function creationDate({ random, issuer }: RecordDraft, times: Times): string | null {
  if (random.chance(0.02)) return null;
  const years = random.chance(0.002) ? 100 + random.below(300) : random.zipf(60);
  return issuerTime(midnight(times.registered - years * 365 * secondsPerDay), issuer);
}

export function expiration({ status, random, issuer }: RecordDraft, times: Times) {
  if (status !== 'RETIRED' && status !== 'MERGED') return { date: null, reason: null };
  const reason = status === 'MERGED' ? 'CORPORATE_ACTION' : random.chance(0.8) ? 'DISSOLVED' : 'OTHER';
  return { date: issuerTime(midnight(times.updated - secondsPerDay), issuer), reason };
}

export function successors({ status, random, world, country }: RecordDraft) {
  const merged =
    status === 'MERGED' || status === 'DUPLICATE' || (status === 'RETIRED' && random.chance(0.15));
  if (!merged) return [];
  if (random.chance(0.1)) return [{ lei: null, name: companyCore(country, random).text, language: null }];
  return [{ lei: world.lei(random.below(world.entities)), name: null, language: null }];
}

export function eventGroups(draft: RecordDraft, times: Times): EventGroup[] {
  const { random } = draft;
  if (!random.chance(0.09)) return [];
  const groups: EventGroup[] = [];
  const count = 1 + random.zipf(4);
  if (count === 2 && random.chance(0.1)) {
    const events = ['CHANGE_LEGAL_FORM', 'CHANGE_LEGAL_NAME'].map((type, index) =>
      eventOf(draft, times, type, index + 1),
    );
    return [{ groupType: 'CHANGE_LEGAL_FORM_AND_NAME', groupId: `G${draft.entity}`, events }];
  }
  for (let index = 0; index < count; index++) {
    const event = eventOf(draft, times, eventTypes.choose(random), null);
    groups.push({ groupType: 'STANDALONE', groupId: null, events: [event] });
  }
  return groups;
}

function eventOf(draft: RecordDraft, times: Times, type: string, sequence: number | null): LegalEntityEvent {
  const { random, issuer } = draft;
  const recorded = times.registered + Math.floor((times.updated - times.registered) * random.unit());
  return {
    type,
    status: random.chance(0.96) ? 'COMPLETED' : 'IN_PROGRESS',
    sequence,
    effectiveDate: issuerTime(midnight(recorded - 20 * secondsPerDay), issuer),
    recordedDate: issuerTime(recorded, issuer, random.below(1000)),
    validationDocuments: random.chance(0.9) ? 'SUPPORTING_DOCUMENTS' : 'OTHER_OFFICIAL_DOCUMENTS',
    validationReference: random.chance(0.02) ? 'https://register.example/filings?entity=1&year=2025' : null,
    affectedFields: random.chance(0.04)
      ? [
          {
            xpath: '/lei:LEIData/lei:LEIRecords/lei:LEIRecord/lei:Entity/lei:LegalAddress/lei:PostalCode',
            value: filled('#####', random),
          },
        ]
      : [],
  };
}
