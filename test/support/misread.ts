/** Writes texts as programs show them that take UTF-8 for Windows-1252. */
const decoder = new TextDecoder('windows-1252');

export function misreadAsWindows1252(text: string): string {
  return decoder.decode(new TextEncoder().encode(text));
}
