/** Finds the fenced blocks of a documentation page and the expected output of each. */

export interface Block {
  readonly language: 'console' | 'js' | 'python';
  /** The command line or whole program to run. */
  readonly program: string;
  /** Its output; `…` stands for anything. Null if the page shows nothing. */
  readonly printed: string | null;
  /** Line of the page at which the block begins. */
  readonly line: number;
}

/**
 * Blocks that can be run. In a `console` block each `$` line is a command, and the lines after it are its output; the
 * output of a program (`js`, `python`) is in the `text` block that follows.
 */
export function blocksOf(markdown: string): Block[] {
  const fences = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ({ 1: language = '', 2: text = '', index }) => ({
      language,
      text,
      line: markdown.slice(0, index).split('\n').length,
    }),
  );
  return fences.flatMap(({ language, text, line }, at): Block[] => {
    if (language === 'console') return commandsOf(text).map((command) => ({ ...command, language, line }));
    if (language !== 'js' && language !== 'python') return [];
    const next = fences[at + 1];
    return [
      { language, program: text, printed: next?.language === 'text' ? next.text.trimEnd() : null, line },
    ];
  });
}

function commandsOf(text: string): { readonly program: string; readonly printed: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [program = '', ...lines] = part.trimEnd().split('\n');
      return { program, printed: lines.join('\n') };
    });
}

/** Whether an output equals the page's; a page shows no CR of CSV files. */
export function isShown(printed: string, output: string): boolean {
  const pattern = printed.split('…').map(escaped).join('[^]*?');
  return new RegExp(`^${pattern}$`).test(output.replaceAll('\r\n', '\n').trimEnd());
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
