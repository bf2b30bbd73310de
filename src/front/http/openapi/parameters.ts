/** Describes the parameters with the constraints that validation enforces. */
import { type ParameterName, type QueryParameter, queryParameters } from '../../endpoints/parameters.ts';
import { type Subject, subjects } from '../../endpoints/subjects.ts';
import type { JsonObject } from '../../json.ts';

const pathParameters = Object.entries(subjects).map(([name, { description, pattern, example }]) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern },
  example,
}));

/** A query parameter that one endpoint alone takes. */
export function ownParameter(
  [name, rule]: readonly [string, DescribedParameter],
  where: 'query' | 'path' = 'query',
): JsonObject {
  const { required, description, schema, example } = rule;
  return {
    name,
    in: where,
    required: required !== null,
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  };
}
type DescribedParameter = Pick<QueryParameter<unknown>, 'required' | 'description' | 'schema' | 'example'>;

const ofQueries = Object.entries(queryParameters).map(([name, rule]) => ({
  ...ownParameter([name, rule]),
  name,
}));

export const parameterComponents: JsonObject = Object.fromEntries(
  [...pathParameters, ...ofQueries].map((parameter) => [parameter.name, parameter]),
);

export function parameterReference(name: Subject | ParameterName): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}
