/** Writes reports: Markdown with tables, and SVG plots. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ratio } from './closed-loop.ts';

export type Cell = string | number;

export class Report {
  private readonly lines: string[] = [];
  private readonly plots = new Map<string, string>();
  private readonly folder: string;
  private readonly name: string;
  /** The number of wrong answers, which tables show and the exit status reports. */
  wrongAnswers = 0;

  /** @param name of the Markdown file, without its extension */
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
    this.plots.set(`${name}.svg`, svg);
    this.lines.push(`![${title}](${name}.svg)`, '');
  }

  /** Writes text and plots at the end: an interrupted run leaves an earlier report unchanged. */
  save(): void {
    for (const [file, svg] of this.plots) writeFileSync(join(this.folder, file), svg);
    writeFileSync(join(this.folder, `${this.name}.md`), `${this.lines.join('\n').trimEnd()}\n`);
  }
}

/** A table with padded columns and right-aligned figures, as this repository formats tables. */
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

/** A number with enough digits for differences and few enough to hide noise. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  // Decides by the rounded number: 999.7 is 1,000 and 9.999 is 10.0.
  const magnitude = Math.abs(value);
  if (magnitude >= 99.95) return Math.round(value).toLocaleString('en');
  return magnitude >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** The median of several ratios with their range. */
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

/** Horizontal bars, the longest at full width, none for a missing value. */
export function barPlot(title: string, unit: string, bars: readonly Bar[]): string {
  const most = Math.max(0, ...bars.map(({ value }) => value || 0));
  const body = bars.map(({ label, value }, index) => {
    const y = 48 + index * 30;
    const length = most === 0 ? 0 : ((value || 0) / most) * 360;
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

export interface Axis {
  readonly label: string;
  readonly logarithmic: boolean;
}

/** The smallest readable distance between two labels. */
const between = { ticks: 70, labels: 15 };

/** A line plot whose y axis begins at zero. */
export function linePlot(title: string, unit: string, axis: Axis, lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points);
  const at = scale(
    points.map(([x]) => x),
    axis,
  );
  const most = Math.max(...points.map(([, y]) => y)) * 1.1 || 1;
  const up = (y: number) => 290 - (y / most) * 230;
  const frame =
    `<path d="M70 60V290H640" fill="none" stroke="#999"/>` +
    `<text x="16" y="64" fill="#333">${figure(most)}</text><text x="16" y="294" fill="#333">0</text>` +
    `<text x="16" y="46" fill="#666">${escaped(unit)}</text>` +
    `<text x="680" y="308" fill="#666">${escaped(axis.label)}</text>`;
  const labelled: number[] = [];
  const drawn = lines.map(({ label, points: own }, index) => {
    const colour = colours[index % colours.length];
    const places = own.map(([x, y]) => [at(x).toFixed(1), up(y).toFixed(1)] as const);
    const dots = places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`);
    const [lastX, lastY] = places.at(-1) ?? ['70', '290'];
    let height = Number(lastY) + 4;
    while (labelled.some((other) => Math.abs(other - height) < between.labels)) height -= between.labels;
    labelled.push(height);
    return (
      `<path d="M${places.map(([x, y]) => `${x} ${y}`).join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `${dots.join('')}<text x="${Number(lastX) + 8}" y="${height}" fill="${colour}">${escaped(label)}</text>`
    );
  });
  return picture(324, title, frame + drawn.join('') + ticksOf(points, at));
}

/** The position of a value on the x axis. A single value is at the left. */
function scale(values: readonly number[], { logarithmic }: Axis): (x: number) => number {
  const of = logarithmic ? Math.log : (x: number) => x;
  const [left, right] = [of(Math.min(...values)), of(Math.max(...values))];
  return (x) => 70 + ((of(x) - left) / (right - left || 1)) * 560;
}

/** The values without those too close to the one before. */
function ticksOf(points: Line['points'], at: (x: number) => number): string {
  let last = Number.NEGATIVE_INFINITY;
  const values = [...new Set(points.map(([x]) => x))].sort((one, other) => one - other);
  const ticks = values.map((value) => {
    const x = at(value);
    if (x - last < between.ticks) return '';
    last = x;
    const text = Number.isInteger(value) ? value.toLocaleString('en') : figure(value);
    return `<text x="${x.toFixed(1)}" y="308" text-anchor="middle" fill="#333">${text}</text>`;
  });
  return ticks.join('');
}
