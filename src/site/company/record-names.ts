/** Finds the names behind the codes of a record: of the issuer of its LEI, and of its registers. */
import type { DataOf, Visit } from '../definition.ts';

export interface RecordNames {
  /** The issuer of the LEI; null if it has no record here. */
  readonly managingLou: string | null;
  /** By code, such as RA000549. A publication without GLEIF's list of registers has none of them. */
  readonly registers: ReadonlyMap<string, string>;
}

export async function recordNames(visit: Visit, company: DataOf['company']): Promise<RecordNames> {
  const { validatedAt, otherValidationAuthorities } = company.validation;
  const others = otherValidationAuthorities.map((other) => other.validatedAt.id);
  const codes = new Set([company.entity.registeredAt.id, validatedAt.id, ...others]);
  const [managingLou, ...registers] = await Promise.all([
    nameOfIssuer(visit, company.registration.managingLou),
    ...[...codes].filter((code) => code !== null).map((code) => namedRegister(visit, code)),
  ]);
  return { managingLou, registers: new Map(registers.filter((register) => register !== null)) };
}

async function nameOfIssuer({ askName }: Visit, lei: string | null): Promise<string | null> {
  if (lei === null || !/^[0-9A-Z]{20}$/.test(lei)) return null;
  return askName({ kind: 'company', lei }, (told) =>
    told.outcome === 'found' ? told.data.entity.legalName.name : null,
  );
}

async function namedRegister({ askName }: Visit, code: string): Promise<readonly [string, string] | null> {
  const asks = { for: 'code', list: 'registration-authorities', id: code } as const;
  const name = await askName({ kind: 'gleif', base: '', asks }, (told) =>
    told.outcome === 'found' ? nameOf(told.data.data.attributes) : null,
  );
  return name === null ? null : [code, name];
}

/** The register and who keeps it: `Companies Register, Companies House`. */
function nameOf(attributes: DataOf['gleif']['data']['attributes']): string | null {
  const { internationalName, localName, internationalOrganizationName, localOrganizationName } = attributes;
  const register = internationalName || localName;
  const keeper = internationalOrganizationName || localOrganizationName;
  return [...new Set([register, keeper])].filter((each) => each).join(', ') || null;
}
