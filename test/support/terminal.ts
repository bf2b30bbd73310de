/** Runs the command line on its own terminal and reads the screen. */
import { cli } from './run-lei.ts';

export interface Shown {
  readonly code: number;
  /** Everything written to the terminal. */
  readonly written: string;
  /** The lines of the screen, empty at first, up to the next prompt. */
  readonly screen: readonly string[];
}

export interface TerminalOptions {
  /** 80 by default. */
  readonly columns?: number;
  /** Called after each write, with everything written so far. */
  readonly hear?: (written: string, terminal: Bun.Terminal) => void;
}

export async function runOnTerminal(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  { columns = 80, hear }: TerminalOptions = {},
): Promise<Shown> {
  const decoder = new TextDecoder();
  let written = '';
  const ran = Bun.spawn([process.execPath, cli, ...args], {
    env: { ...process.env, ...environment },
    terminal: {
      cols: columns,
      rows: 50,
      data(terminal, piece) {
        written += decoder.decode(piece, { stream: true });
        hear?.(written, terminal);
      },
    },
  });
  const code = await ran.exited;
  ran.terminal?.close();
  return { code, written, screen: screenOf(written, columns) };
}

/**
 * A screen with room for all lines. A line that the terminal may wrap is kept whole, any other is cut off at the edge.
 * It knows the terminal codes that a bar is drawn with.
 */
function screenOf(written: string, columns: number): readonly string[] {
  const lines: string[] = [''];
  let row = 0;
  let column = 0;
  let saved = { row, column };
  let wraps = true;
  const erase = (from: number, to?: number) => {
    const line = lines[row] ?? '';
    lines[row] = line.slice(0, from).padEnd(from) + (to === undefined ? '' : line.slice(to));
  };
  const codes: readonly (readonly [RegExp, (parameter: string) => void])[] = [
    [/^\r/, () => (column = 0)],
    [/^\n/, () => row++],
    [/^\u001b7/, () => (saved = { row, column })],
    [/^\u001b8/, () => ({ row, column } = saved)],
    [/^\u001b\[(\d*)G/, (parameter) => (column = Number(parameter || 1) - 1)],
    [/^\u001b\[(\d*)K/, (parameter) => erase(parameter === '2' ? 0 : column)],
    [/^\u001b\[\?7([hl])/, (parameter) => (wraps = parameter === 'h')],
    [/^\u001b\[\?25[hl]/, () => undefined],
    [
      /^([^\u001b])/s,
      (character) => {
        if (!wraps) column = Math.min(column, columns - 1);
        const line = (lines[row] ?? '').padEnd(column);
        lines[row] = line.slice(0, column) + character + line.slice(column + 1);
        column++;
      },
    ],
  ];
  for (let rest = written; rest !== ''; ) {
    const [found, act] =
      codes.map(([code, act]) => [code.exec(rest), act] as const).find(([match]) => match) ?? [];
    if (found === null || found === undefined || act === undefined)
      throw new Error(`Not known: ${rest.slice(0, 9)}`);
    act(found[1] ?? '');
    rest = rest.slice(found[0].length);
  }
  return lines.slice(0, row);
}
