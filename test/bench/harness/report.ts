/** Reports: Markdown with tables, and SVG plots beside it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ratio } from './closed-loop.ts';

export type Cell = string | number;

export class Report {
  private readonly lines: string[] = [];
  private readonly folder: string;
  private readonly name: string;

  /** @param name of the Markdown file, without its ending */
  constructor(folder: string, name: string, title: string) {
    this.folder = folder;
    this.name = name;
    mkdirSync(folder, { recursive: true });
    this.lines.push(`# ${title}`, '');
  }

  heading(text: string): void {
    this.lines.push(`## ${text}`, '');
    process.stdout.write(`\n${text}\n`);
  }

  text(...paragraphs: readonly string[]): void {
    for (const paragraph of paragraphs) this.lines.push(paragraph, '');
    process.stdout.write(`${paragraphs.join('\n')}\n`);
  }

  table(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
    const table = alignedTable(header, rows);
    this.lines.push(...table, '');
    process.stdout.write(`${table.join('\n')}\n`);
  }

  plot(name: string, title: string, svg: string): void {
    writeFileSync(join(this.folder, `${name}.svg`), svg);
    this.lines.push(`![${title}](${name}.svg)`, '');
  }

  save(): void {
    writeFileSync(join(this.folder, `${this.name}.md`), `${this.lines.join('\n').trimEnd()}\n`);
  }
}

/** Columns padded to one width, figures to the right, as the formatter of this repository writes tables. */
function alignedTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const cells = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => {
    const padded = row.map((cell, column) => {
      const width = widths[column] ?? 3;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(cells[0] ?? []), `| ${rule.join(' | ')} |`, ...cells.slice(1).map(line)];
}

/** A number with so many digits that differences show and noise doesn't. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  // By what is shown: 999.7 is 1,000 and 9.999 is 10.0.
  const magnitude = Math.abs(value);
  if (magnitude >= 99.95) return Math.round(value).toLocaleString('en');
  return magnitude >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** The middle one of several ratios, and how far they went apart. */
export function spread({ median, least, most }: Ratio): string {
  return `${figure(median)} (${figure(least)}–${figure(most)})`;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
}

const width = 760;
const colours = ['#2f6f9f', '#c1663a', '#5b8c5a', '#8a5a9c', '#a08b3a'];

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function picture(height: number, title: string, body: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">` +
    `<title>${escaped(title)}</title><rect width="${width}" height="${height}" fill="#fff"/>` +
    `<text x="16" y="26" font-size="16" fill="#222">${escaped(title)}</text>${body}</svg>\n`
  );
}

/** Horizontal bars, longest value full width. */
export function barPlot(title: string, unit: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const body = bars.map(({ label, value }, index) => {
    const y = 48 + index * 30;
    const length = most === 0 ? 0 : (value / most) * 360;
    return (
      `<text x="16" y="${y + 15}" fill="#333">${escaped(label)}</text>` +
      `<rect x="270" y="${y}" width="${length.toFixed(1)}" height="20" fill="${colours[index % colours.length]}"/>` +
      `<text x="${(276 + length).toFixed(1)}" y="${y + 15}" fill="#333">${figure(value)} ${escaped(unit)}</text>`
    );
  });
  return picture(60 + bars.length * 30, title, body.join(''));
}

export interface Line {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Lines over a logarithmic x axis from zero upwards. */
export function linePlot(title: string, unit: string, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points);
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const most = Math.max(...points.map(([, y]) => y)) * 1.1;
  const span = Math.log(right / left) || 1;
  const at = (x: number) => 70 + (Math.log(x / left) / span) * 560;
  const up = (y: number) => 290 - (y / most) * 230;
  const axis =
    `<path d="M70 60V290H640" fill="none" stroke="#999"/>` +
    `<text x="16" y="64" fill="#333">${figure(most)}</text><text x="16" y="294" fill="#333">0</text>` +
    `<text x="16" y="46" fill="#666">${escaped(unit)}</text>`;
  const drawn = lines.map(({ label, points: own }, index) => {
    const colour = colours[index % colours.length];
    const path = own.map(([x, y], at0) => `${at0 === 0 ? 'M' : 'L'}${at(x).toFixed(1)} ${up(y).toFixed(1)}`);
    const dots = own.map(
      ([x, y]) => `<circle cx="${at(x).toFixed(1)}" cy="${up(y).toFixed(1)}" r="3" fill="${colour}"/>`,
    );
    const last = own.at(-1) ?? [left, 0];
    return (
      `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}` +
      `<text x="${at(last[0]) + 8}" y="${up(last[1]) + 4}" fill="${colour}">${escaped(label)}</text>`
    );
  });
  const ticks = [...new Set(points.map(([x]) => x))].map(
    (x) => `<text x="${at(x)}" y="308" text-anchor="middle" fill="#333">${x.toLocaleString('en')}</text>`,
  );
  return picture(324, title, axis + drawn.join('') + ticks.join(''));
}
