/** Measures look-ups, searches and the mix with more and more fronts and query threads, beside as many bare servers. */
import { busyAre, busyCells, roles } from '../harness/busy-threads.ts';
import {
  type ClosedLoopResult,
  failuresAre,
  inTurn,
  type Round,
  ratioOf,
  typical,
} from '../harness/closed-loop.ts';
import { type Bar, barPlot, figure, type Report, spread } from '../harness/report.ts';
import { askedWith } from './asking.ts';
import type { Pair, Setting } from './bench.ts';
import { type MeasuredKind, measuredKinds, nameOf } from './rows.ts';

/** The results of the service and the bare servers in the last row. */
export interface Top {
  readonly kind: MeasuredKind;
  readonly pair: Pair;
  readonly service: ClosedLoopResult;
  readonly bare: ClosedLoopResult;
}

/** Measures all rows in turn, so that other work of the machine affects all alike. */
export async function scaling(report: Report, pairs: readonly Pair[], setting: Setting): Promise<Top[]> {
  report.heading('Fronts and query threads');
  report.text(
    `In this closed loop the project's own generator uses 64 connections for each front. Limits are enforced, and every request has a real key. All servers take turns of ${setting.seconds} s in ${setting.rounds} rounds. Figures are medians of the rounds. Ratios are made within each round, with the lowest and the highest in brackets. A row compares fronts + query threads with as many bare servers on one port as there are fronts. If the generator was busy all the time (near 1), it was the limit. ${failuresAre}`,
  );
  const tops: Top[] = [];
  for (const kind of measuredKinds) {
    const rounds = await inTurn(
      pairs.flatMap(({ service, bare }) => [service, bare]),
      setting.questions[kind],
      { ...setting, connections: 64, askedBy: askedWith(setting, kind, pairs) },
    );
    tables(report, kind, pairs, rounds);
    const [last, pair] = [pairs.length - 1, pairs.at(-1)];
    if (pair !== undefined)
      tops.push({ kind, pair, service: typical(rounds, 2 * last), bare: typical(rounds, 2 * last + 1) });
  }
  return tops;
}

function tables(report: Report, kind: MeasuredKind, pairs: readonly Pair[], rounds: readonly Round[]): void {
  const results = pairs.map(({ row }, index) => ({
    name: nameOf(row),
    service: typical(rounds, 2 * index),
    bare: typical(rounds, 2 * index + 1),
    toFirst: ratioOf(rounds, 2 * index, 0),
    toBare: ratioOf(rounds, 2 * index, 2 * index + 1),
  }));
  report.table(
    [
      kind,
      '/s',
      'To the first row',
      'Bare /s',
      'To bare',
      'p99 ms',
      'CPU µs',
      'Bare CPU µs',
      'Generator busy',
      'Failures',
    ],
    results.map(({ name, service, bare, toFirst, toBare }) => [
      name,
      figure(service.perSecond),
      spread(toFirst),
      figure(bare.perSecond),
      spread(toBare),
      figure(service.p99Ms),
      figure(service.cpuMicrosPerRequest),
      figure(bare.cpuMicrosPerRequest),
      `${figure(service.generatorBusy)}, bare ${figure(bare.generatorBusy)}`,
      service.failures + bare.failures,
    ]),
  );
  report.text(busyAre);
  report.table(
    [`${kind}: busy`, ...roles],
    results.map(({ name, service }) => [name, ...busyCells(service.busy)]),
  );
  const bars: Bar[] = results.map(({ name, toFirst }) => ({ label: name, value: toFirst.median }));
  report.plot(
    `cores-${kind}`,
    `${kind}: fronts + query threads`,
    barPlot(`${kind}s a second, to the first row`, '×', bars),
  );
}
