/** `/bic/{bic}`, `/isin/{isin}`, …: the legal entities that another identifier leads to. */
import { identifierAnswerSchemas } from '../../lei/answers.ts';
import { type IdentifierKind, mappingTable } from '../../lei/identifier-kinds.ts';
import type { Json } from '../json.ts';
import { type DataEndpoint, dataEndpoint, type Endpoint, oneLookUp, reads } from './endpoint.ts';
import bic from './examples/bic.json' with { type: 'json' };
import gem from './examples/gem.json' with { type: 'json' };
import isin from './examples/isin.json' with { type: 'json' };
import mic from './examples/mic.json' with { type: 'json' };
import qcc from './examples/qcc.json' with { type: 'json' };

interface Mapping extends Pick<Endpoint, 'operationId' | 'summary' | 'description'> {
  readonly example: Json;
}

function mapping(kind: IdentifierKind, { example, ...own }: Mapping): DataEndpoint {
  const name = mappingTable[kind].answer;
  return dataEndpoint({
    ...reads,
    ...own,
    path: `/${kind}/{${kind}}`,
    parameters: [],
    cost: oneLookUp,
    question: (value) => ({ kind, value }),
    tag: 'Identifiers',
    answer: { name, schema: identifierAnswerSchemas[name], example },
  });
}

export const mappings: readonly DataEndpoint[] = [
  mapping('bic', {
    operationId: 'getBIC',
    summary: 'The companies behind a BIC',
    description:
      'The answer’s `bic` is the 11-character form. `meta.licenseNotice` reproduces SWIFT’s notice.',
    example: bic,
  }),
  mapping('isin', {
    operationId: 'getISIN',
    summary: 'The issuers of a security',
    description: 'From GLEIF’s ISIN-to-LEI list.',
    example: isin,
  }),
  mapping('mic', {
    operationId: 'getMIC',
    summary: 'The companies behind a market',
    description:
      'A segment resolves through its operating MIC where the ISO 10383 list was loaded; `operatingMic` says so. `meta.licenseNotice` reproduces SWIFT’s notice.',
    example: mic,
  }),
  mapping('gem', {
    operationId: 'getGEM',
    summary: 'The companies behind a Global Energy Monitor entity',
    description: 'The pairs are published under CC BY 4.0; `meta.licenseNotice` says so.',
    example: gem,
  }),
  mapping('qcc', {
    operationId: 'getQCC',
    summary: 'The companies behind a Qichacha code',
    description: 'From GLEIF’s QCC-to-LEI list.',
    example: qcc,
  }),
];
