/** Moves a server to its cores and chooses the generators that load it. */
import { moveTo, splitCores } from '../harness/cores.ts';
import type { Generators } from '../harness/generators.ts';
import type { Server } from '../harness/processes.ts';
import type { Pair, Setting } from './bench.ts';
import { generatorShare, generatorShareBeside, type MeasuredKind } from './rows.ts';

/** Connections for each front. */
const connectionsPerFront = 64;

/** @returns what to call before each turn of a server */
export function askedWith(
  { cores }: Pick<Setting, 'cores'>,
  kind: MeasuredKind,
  pairs: readonly Pair[],
): (server: Server) => Generators & { readonly connections: number } {
  return (server) => {
    const pair = pairs.find(({ service, bare }) => service === server || bare === server);
    const share = pair?.bare === server ? generatorShareBeside : generatorShare[kind];
    const split = splitCores(cores, share);
    if (split.apart) moveTo(split.server, server);
    return {
      processes: split.apart ? split.generator.length : 1,
      cores: split.apart ? split.generator : [],
      connections: connectionsPerFront * (pair?.row.fronts ?? 1),
    };
  };
}
