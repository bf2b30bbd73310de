/** Reads the 54 columns of the relationship record CSV (RR-CDF 2.1) as relationship records. */
import { readRelationshipKey } from '../record/keys.ts';
import { checkRelationship } from '../record/level-2-checks.ts';
import type { RecordReport } from '../record/report.ts';
import { ColumnList } from './columns.ts';
import type { RowValues } from './row-values.ts';

export const columnList = new ColumnList();
const column = (name: string) => columnList.column(name);

const columns = {
  start: column('Relationship.StartNode.NodeID'),
  startType: column('Relationship.StartNode.NodeIDType'),
  end: column('Relationship.EndNode.NodeID'),
  endType: column('Relationship.EndNode.NodeIDType'),
  type: column('Relationship.RelationshipType'),
  status: column('Relationship.RelationshipStatus'),
  periods: columnList.repeated('Relationship.Period.#', 5, (prefix) => ({
    startDate: column(`${prefix}.startDate`),
    endDate: column(`${prefix}.endDate`),
    type: column(`${prefix}.periodType`),
  })),
  qualifiers: columnList.repeated('Relationship.Qualifiers.#', 5, (prefix) => ({
    dimension: column(`${prefix}.QualifierDimension`),
    category: column(`${prefix}.QualifierCategory`),
  })),
  quantifiers: columnList.repeated('Relationship.Quantifiers.#', 5, (prefix) => ({
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

export const keys = [columns.start, columns.end, columns.type];

/** Reads one row; what makes it unusable or odd goes to the report. */
export function readRelationship(row: RowValues, report: RecordReport): void {
  const key = readRelationshipKey(row.at(columns.start), row.at(columns.end), row.at(columns.type), report);
  if (key === null) return;
  const date = (column: number) => report.date(row.at(column), columnList.names[column] ?? '');
  const record = {
    start: key.start,
    end: key.end,
    relationship: {
      type: key.type,
      status: row.at(columns.status),
      periods: row.list(columns.periods, (item) => ({
        type: row.at(item.type),
        startDate: date(item.startDate),
        endDate: date(item.endDate),
      })),
      qualifiers: row.list(columns.qualifiers, (item) => ({
        dimension: row.at(item.dimension),
        category: row.at(item.category),
      })),
      quantifiers: row.list(columns.quantifiers, (item) => ({
        method: row.at(item.method),
        amount: row.at(item.amount),
        units: row.at(item.units),
      })),
      validation: {
        sources: row.at(columns.validationSources),
        documents: row.at(columns.validationDocuments),
        reference: row.at(columns.validationReference),
      },
      registration: {
        status: row.at(columns.registrationStatus),
        initialRegistrationDate: date(columns.initialRegistrationDate),
        lastUpdateDate: date(columns.lastUpdateDate),
        nextRenewalDate: date(columns.nextRenewalDate),
        managingLou: row.at(columns.managingLou),
      },
    },
  };
  checkRelationship(record, report);
  report.row({ kind: 'relationships', record, deletedAt: null });
}
