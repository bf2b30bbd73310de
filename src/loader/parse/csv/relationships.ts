/** The 54 columns of the relationship record CSV (RR-CDF 2.1), and its rows as relationship records. */
import { readRelationshipKey } from '../record/keys.ts';
import { checkRelationship } from '../record/level-2-checks.ts';
import type { RecordReport } from '../record/report.ts';
import { Layout } from './columns.ts';
import type { RowSlots } from './slots.ts';

export const layout = new Layout();
const column = (name: string) => layout.column(name);

const slots = {
  start: column('Relationship.StartNode.NodeID'),
  startType: column('Relationship.StartNode.NodeIDType'),
  end: column('Relationship.EndNode.NodeID'),
  endType: column('Relationship.EndNode.NodeIDType'),
  type: column('Relationship.RelationshipType'),
  status: column('Relationship.RelationshipStatus'),
  periods: layout.repeated('Relationship.Period.#', 5, (prefix) => ({
    startDate: column(`${prefix}.startDate`),
    endDate: column(`${prefix}.endDate`),
    type: column(`${prefix}.periodType`),
  })),
  qualifiers: layout.repeated('Relationship.Qualifiers.#', 5, (prefix) => ({
    dimension: column(`${prefix}.QualifierDimension`),
    category: column(`${prefix}.QualifierCategory`),
  })),
  quantifiers: layout.repeated('Relationship.Quantifiers.#', 5, (prefix) => ({
    method: column(`${prefix}.MeasurementMethod`),
    amount: column(`${prefix}.QuantifierAmount`),
    units: column(`${prefix}.QuantifierUnits`),
  })),
  initialRegistrationDate: column('Registration.InitialRegistrationDate'),
  lastUpdateDate: column('Registration.LastUpdateDate'),
  registrationStatus: column('Registration.RegistrationStatus'),
  nextRenewalDate: column('Registration.NextRenewalDate'),
  managingLou: column('Registration.ManagingLOU'),
  validationSources: column('Registration.ValidationSources'),
  validationDocuments: column('Registration.ValidationDocuments'),
  validationReference: column('Registration.ValidationReference'),
} as const;

export const keys = [slots.start, slots.end, slots.type];

/** Reads one row; what makes it unusable or odd goes to the report. */
export function readRelationship(row: RowSlots, report: RecordReport): void {
  const key = readRelationshipKey(row.at(slots.start), row.at(slots.end), row.at(slots.type), report);
  if (key === null) return;
  const date = (slot: number) => report.date(row.at(slot), layout.names[slot] ?? '');
  const record = {
    start: key.start,
    end: key.end,
    relationship: {
      type: key.type,
      status: row.at(slots.status),
      periods: row.list(slots.periods, (item) => ({
        type: row.at(item.type),
        startDate: date(item.startDate),
        endDate: date(item.endDate),
      })),
      qualifiers: row.list(slots.qualifiers, (item) => ({
        dimension: row.at(item.dimension),
        category: row.at(item.category),
      })),
      quantifiers: row.list(slots.quantifiers, (item) => ({
        method: row.at(item.method),
        amount: row.at(item.amount),
        units: row.at(item.units),
      })),
      validation: {
        sources: row.at(slots.validationSources),
        documents: row.at(slots.validationDocuments),
        reference: row.at(slots.validationReference),
      },
      registration: {
        status: row.at(slots.registrationStatus),
        initialRegistrationDate: date(slots.initialRegistrationDate),
        lastUpdateDate: date(slots.lastUpdateDate),
        nextRenewalDate: date(slots.nextRenewalDate),
        managingLou: row.at(slots.managingLou),
      },
    },
  };
  checkRelationship(record, report);
  report.row({ kind: 'relationships', record, deletedAt: null });
}
