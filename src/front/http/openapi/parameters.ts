/** Describes the parameters with the constraints that validation holds them to. */
import { type ParameterName, queryParameters } from '../../endpoints/parameters.ts';
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

const ofQueries = Object.entries(queryParameters).map(
  ([name, { required, description, schema, example }]) => ({
    name,
    in: 'query',
    required: required !== null,
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  }),
);

export const parameterComponents: JsonObject = Object.fromEntries(
  [...pathParameters, ...ofQueries].map((parameter) => [parameter.name, parameter]),
);

export function parameterReference(name: Subject | ParameterName): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}
