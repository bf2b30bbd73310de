/** `/lei/{lei}/changes`: the history of one legal entity, newest first, in pages. */
import { Type } from '@sinclair/typebox';
import { CompanySchema } from '../../lei/company.ts';
import { closed, LeiSchema, nullable, said, TimestampSchema, text } from '../../lei/schema.ts';
import { dataEndpoint, oneSearch, reads } from './endpoint.ts';
import example from './examples/changes.json' with { type: 'json' };

const fieldChange = Type.Object(
  {
    field: text(
      'The path of the field as in Company; a changed list appears as a whole.',
      'entity.legalName.name',
    ),
    from: Type.Unknown({ description: 'The value before.' }),
    to: Type.Unknown({ description: 'The value after.' }),
  },
  closed,
);
const kind = <Name extends string>(name: Name, description: string) => Type.Literal(name, { description });
const changeMoment = {
  at: said(TimestampSchema, 'The time at which GLEIF published the data with this change.'),
  datasetVersion: text('The dataset version with this change.'),
};
const changedFields = Type.Array(fieldChange, { description: 'The fields that changed.' });
export const ChangeItemSchema = Type.Union([
  Type.Object(
    { kind: kind('change', 'Fields of the record changed.'), ...changeMoment, changes: changedFields },
    closed,
  ),
  Type.Object(
    {
      kind: kind('relationship-change', 'A relationship was added, or fields of one changed.'),
      ...changeMoment,
      relationship: Type.Object(
        {
          start: said(LeiSchema, 'The LEI of the child, fund or branch.'),
          end: nullable(LeiSchema, {
            description: 'The LEI of the parent, manager or head office; null for a reporting exception.',
          }),
          type: text(
            'The type of the relationship, or the category of the exception.',
            'IS_DIRECTLY_CONSOLIDATED_BY',
          ),
        },
        { ...closed, description: 'Which relationship changed.' },
      ),
      changes: changedFields,
    },
    closed,
  ),
  Type.Object(
    {
      kind: kind('relationship-removed', 'A relationship was deleted.'),
      ...changeMoment,
      relationship: Type.Object(
        {
          start: said(LeiSchema, 'The LEI of the child, fund or branch.'),
          end: said(LeiSchema, 'The LEI of the parent, manager or head office.'),
          type: text('The type of the relationship.', 'IS_DIRECTLY_CONSOLIDATED_BY'),
        },
        { ...closed, description: 'Which relationship was deleted.' },
      ),
    },
    closed,
  ),
  Type.Object({ kind: kind('created', 'The company was added to the data.'), ...changeMoment }, closed),
  Type.Object({ kind: kind('removed', 'The company was removed from the data.'), ...changeMoment }, closed),
  Type.Object(
    {
      kind: kind('snapshot', 'An earlier record, recovered from an older file.'),
      at: said(TimestampSchema, 'When GLEIF published that file.'),
      source: text('The file that the record was recovered from.'),
      record: said(Type.Object(CompanySchema.properties, closed), 'The company at that time.'),
    },
    closed,
  ),
]);
export const ChangesAnswerSchema = Type.Object(
  {
    lei: said(LeiSchema, 'The LEI from the request.'),
    items: Type.Array(ChangeItemSchema, { description: 'The changes of this page, newest first.' }),
  },
  closed,
);

export const changes = dataEndpoint({
  ...reads,
  path: '/lei/{lei}/changes',
  operationId: 'getCompanyChanges',
  parameters: ['cursor', 'limit'],
  cost: oneSearch,
  question: (lei, { limit }, after) => ({ kind: 'changes', lei, after, limit }),
  tag: 'Companies',
  summary: 'The change history of a company',
  description:
    'Newest first: changed fields, changed and removed relationships, creation, removal, and snapshots recovered from older files. The changes of a removed LEI stay readable.',
  answer: { name: 'ChangesAnswer', schema: ChangesAnswerSchema, example },
});
