/** The texts of the picture. */
import type { GroupCompany, Kind } from './group.ts';

const counted = new Intl.NumberFormat('en');
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const statuses: Readonly<Record<string, string>> = { ACTIVE: 'Active', INACTIVE: 'Inactive' };

export const headings: Readonly<Record<Kind, string>> = {
  owned: 'Companies it owns',
  fund: 'Funds',
  branch: 'Branches',
};

export function count(number: number): string {
  return counted.format(number);
}

export function nameOf(company: GroupCompany | undefined, lei: string): string {
  return company?.name ?? lei;
}

/** Country and status of a company, as far as known. */
export function factsOf(company: GroupCompany | undefined): string {
  if (company === undefined || company.name === null) return 'No record here';
  const status = company.status === null ? null : (statuses[company.status] ?? null);
  return [countryName(company.country), status].filter((each) => each !== null).join(' · ');
}

function countryName(code: string | null): string | null {
  if (code === null) return null;
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}

export function beyondText(beyond: number): string {
  return `${count(beyond)} more are not in the picture. The list has all of them.`;
}

const roles: Readonly<Record<string, string>> = {
  IS_DIRECTLY_CONSOLIDATED_BY: 'Direct parent',
  IS_ULTIMATELY_CONSOLIDATED_BY: 'Ultimate parent',
  IS_INTERNATIONAL_BRANCH_OF: 'Head office',
  'IS_FUND-MANAGED_BY': 'Manager',
  IS_SUBFUND_OF: 'Umbrella fund',
  IS_FEEDER_TO: 'Master fund',
};

/**
 * Describes what a company above is to the page's company.
 * @param types of the relationships between the two; none for a company further up
 * @param step what it is to the company that leads to it
 */
export function roleAbove(types: readonly string[], step: string): string {
  const [first, ...more] = types.map((type) => roles[type] ?? 'Related');
  if (first === undefined) return step.endsWith('CONSOLIDATED_BY') ? 'Parent' : (roles[step] ?? 'Related');
  return [first, ...more.map((role) => role.toLowerCase())].join(' and ').replace('parent and', 'and');
}
