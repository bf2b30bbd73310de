/** Schemas of the answers about changes: of one company, and of all since a version. */
import { Type } from '@sinclair/typebox';
import { CompanySchema } from './company.ts';
import { LeiSchema, listOf, nullable, object, said, TimestampSchema, text } from './schema.ts';

const fieldChange = object({
  field: text(
    'The path of the field as in Company; a changed list appears as a whole. Of identifiers, `mappings.isin` and so on, only those that went (`from`) and came (`to`) appear, at most 1,000 in an item.',
    'entity.legalName.name',
  ),
  from: Type.Unknown({ description: 'The value before.' }),
  to: Type.Unknown({ description: 'The value after.' }),
});
const kind = <Name extends string>(name: Name, description: string) => Type.Literal(name, { description });
const changeMoment = {
  at: said(TimestampSchema, 'The time at which GLEIF published the data with this change.'),
  datasetVersion: text('The dataset version with this change.'),
};
const changedFields = listOf(fieldChange, 'The fields that changed.');
export const ChangeItemSchema = Type.Union([
  object({
    kind: kind('change', 'Fields of the record, or its identifiers of other kinds, changed.'),
    ...changeMoment,
    changes: changedFields,
  }),
  object({
    kind: kind('relationship-change', 'A relationship was added, or fields of one changed.'),
    ...changeMoment,
    relationship: object(
      {
        start: said(LeiSchema, 'The LEI of the child, fund or branch.'),
        end: nullable(
          LeiSchema,
          'The LEI of the parent, manager or head office; null for a reporting exception.',
        ),
        type: text(
          'The type of the relationship, or the category of the exception.',
          'IS_DIRECTLY_CONSOLIDATED_BY',
        ),
      },
      'Which relationship changed.',
    ),
    changes: changedFields,
  }),
  object({
    kind: kind('relationship-removed', 'A relationship was deleted.'),
    ...changeMoment,
    relationship: object(
      {
        start: said(LeiSchema, 'The LEI of the child, fund or branch.'),
        end: said(LeiSchema, 'The LEI of the parent, manager or head office.'),
        type: text('The type of the relationship.', 'IS_DIRECTLY_CONSOLIDATED_BY'),
      },
      'Which relationship was deleted.',
    ),
  }),
  object({ kind: kind('created', 'The company was added to the data.'), ...changeMoment }),
  object({ kind: kind('removed', 'The company was removed from the data.'), ...changeMoment }),
  object({
    kind: kind('snapshot', 'An earlier record, recovered from an older file.'),
    at: said(TimestampSchema, 'When GLEIF published that file.'),
    source: text('The file that the record was recovered from.'),
    record: said(object(CompanySchema.properties), 'The company at that time.'),
  }),
]);
export const ChangesAnswerSchema = object({
  lei: said(LeiSchema, 'The LEI from the request.'),
  items: listOf(ChangeItemSchema, 'The changes of this page, newest first.'),
});
