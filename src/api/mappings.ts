/** `/bic/{bic}`, `/isin/{isin}`, …: the legal entities that an identifier is mapped to. */
import { companySummary } from '../lei/answers.ts';
import { byKind, identifierKinds, mappingKinds, mappingTable } from '../lei/identifier-kinds.ts';
import { LeiSchema, listOf, nullable, object, said, text, textOrNull } from '../lei/schema.ts';
import { dataEndpoint, oneLookUp, reads } from './endpoint.ts';
import examples from './examples/mappings.json' with { type: 'json' };

/** A company named by another answer; all nulls if the LEI has no record here. */
export const EntityReferenceSchema = object({
  lei: said(LeiSchema, 'The LEI that the identifier is mapped to.'),
  name: textOrNull('The legal name; null, like the next members, if this LEI has no record here.'),
  ...companySummary,
  links: object(
    { self: text('The path of the company, even if it has no record here.') },
    'Paths of related resources.',
  ),
});
const entities = listOf(EntityReferenceSchema, 'The companies that the identifier is mapped to, by LEI.');

export const MicListEntrySchema = object({
  name: textOrNull('The name of the market.', 'XETRA'),
  type: textOrNull('`OPRT` for an operating MIC, `SGMT` for a segment MIC.', 'OPRT'),
  country: textOrNull('The country of the market, a code of ISO 3166-1 alpha-2.', 'DE'),
  city: textOrNull('The city of the market.', 'FRANKFURT'),
  status: textOrNull('The status of the MIC: `ACTIVE`, `UPDATED` or `EXPIRED`.', 'ACTIVE'),
});
/** The answer for a MIC also contains its entry in the ISO 10383 list. */
const micMembers = {
  operatingMic: textOrNull(
    'The operating MIC of this MIC, by which the companies are found; null if the ISO 10383 list was not loaded or lacks the MIC.',
    'XETR',
  ),
  record: nullable(
    MicListEntrySchema,
    'The entry of the ISO 10383 list; null if that list was not loaded or lacks the MIC.',
  ),
};
export const identifierAnswerSchemas = byKind(mappingKinds, (kind) =>
  object({
    [kind]: text('The identifier from the request, in its full form.'),
    ...(kind === 'mic' ? micMembers : {}),
    entities,
  }),
);

export const mappings = identifierKinds.map((kind) => {
  const { summary, description } = mappingTable[kind].lookUp;
  return dataEndpoint({
    ...reads,
    path: `/${kind}/{${kind}}`,
    operationId: `get${kind.toUpperCase()}`,
    parameters: [],
    cost: oneLookUp,
    question: (value) => ({ kind, value }),
    tag: 'Identifiers',
    summary,
    description,
    answer: {
      name: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Answer`,
      schema: identifierAnswerSchemas[kind],
      example: examples[kind],
    },
  });
});
