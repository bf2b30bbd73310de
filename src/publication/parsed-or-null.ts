/** Parses a text that may be broken JSON: null then, which has the shape of nothing that is read. */
export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
