/** Names what lists of companies filter and sort by. */

/** Fields with one value of few, such as a code. `any…` has the values of all addresses of a company. */
export type ValueField =
  | 'country'
  | 'anyCountry'
  | 'region'
  | 'anyRegion'
  | 'jurisdiction'
  | 'category'
  | 'subCategory'
  | 'entityStatus'
  | 'registrationStatus'
  | 'legalForm'
  | 'managingLou'
  | 'registeredAt'
  | 'validatedAt'
  | 'corroborationLevel'
  | 'conformityFlag'
  | 'expirationReason';

/** Creation and expiration of the entity; initial registration, last update and next renewal of its record. */
export type TimeField = 'created' | 'expired' | 'registered' | 'updated' | 'renewal';

/** The thousandths of a second of times. A list that shows them orders by them after the time itself. */
export type FractionField = 'registeredFraction' | 'updatedFraction' | 'renewalFraction';

/** Texts of the legal address, and the number in the business register. */
export type FoldedField = 'city' | 'postalCode' | 'registeredAs';

/** Texts by which companies are ordered. */
export type OrderText = 'name' | 'city';
