/** The `lei` of a rendered company, whatever else its JSON holds. @throws SyntaxError where it is no JSON */
export function leiInJson(json: Uint8Array): unknown {
  const value: unknown = JSON.parse(Buffer.from(json).toString());
  return typeof value === 'object' && value !== null && 'lei' in value ? value.lei : null;
}
