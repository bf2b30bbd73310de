/** Element trees, which XML and JSON write in two ways, as they do at GLEIF. */
import type { LegalEntityRecord } from '../../lei/company.ts';

/** An element with its attributes and either a text or children. An absent child is null. */
export interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string | null])[];
  readonly content: string | readonly (Element | null)[];
  /** Whether it is an item of a list: JSON then writes an array, even of one. */
  readonly many: boolean;
}

/** An element with a text; null without one. */
export function text(name: string, value: string | null, many = false): Element | null {
  return value === null ? null : { name, attributes: [], content: value, many };
}

/** An element with children; null if all of them are absent. */
export function node(name: string, children: readonly (Element | null)[], many = false): Element | null {
  return children.every((child) => child === null) ? null : { name, attributes: [], content: children, many };
}

export function withAttributes(element: Element | null, attributes: Element['attributes']): Element | null {
  return element === null ? null : { ...element, attributes };
}

/** The elements with which registrations of entities and of relationships begin. */
export function registrationStart(registration: LegalEntityRecord['registration']): (Element | null)[] {
  return [
    text('InitialRegistrationDate', registration.initialRegistrationDate),
    text('LastUpdateDate', registration.lastUpdateDate),
    text('RegistrationStatus', registration.status),
    text('NextRenewalDate', registration.nextRenewalDate),
    text('ManagingLOU', registration.managingLou),
  ];
}
