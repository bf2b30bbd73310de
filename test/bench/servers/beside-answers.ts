/** Shapes the answers of the compared servers: those members of the service's answers that their tables have. */
import { announce } from './capture.ts';

export interface RelationRow {
  readonly lei: string;
  readonly name: string | null;
  readonly type: string;
  readonly json: string;
}
export interface CompanyRow {
  readonly lei: string;
  readonly name: string;
  readonly country: string;
  readonly status: string;
}

/** The queries of a compared server. */
export interface BesideStore {
  company(lei: string): Promise<string | null> | string | null;
  relationships(lei: string): Promise<Related> | Related;
  isin(isin: string): Promise<readonly CompanyRow[]> | readonly CompanyRow[];
  search(text: string): Promise<Found> | Found;
}
export interface Related {
  readonly parents: readonly RelationRow[];
  readonly children: readonly RelationRow[];
}
export interface Found {
  readonly total: number;
  readonly items: readonly CompanyRow[];
}

const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' };

function json(data: string): Response {
  return new Response(`{"data":${data}}`, { headers });
}

function relation({ lei, name, json: relationship }: RelationRow): string {
  return `{"lei":"${lei}","name":${JSON.stringify(name)},"relationship":${relationship}}`;
}

/** Serves a store on a free port until the bench ends it. */
export function serveBeside(store: BesideStore): void {
  const { port } = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    // Searches that read from the disk take longer than Bun's ten seconds.
    idleTimeout: 0,
    routes: routesOf(store),
  });
  announce(port);
}

/** The routes, as a team would write them by hand. */
function routesOf(store: BesideStore) {
  return {
    '/api/v1/lei/:lei': async (request: { params: { lei: string } }) => {
      const found = await store.company(request.params.lei);
      return found === null ? new Response('{}', { status: 404 }) : json(found);
    },
    '/api/v1/lei/:lei/relationships': async (request: { params: { lei: string } }) => {
      const { parents, children } = await store.relationships(request.params.lei);
      return json(
        `{"directParent":null,"parents":[${parents.map(relation).join(',')}],"children":[${children.map(relation).join(',')}]}`,
      );
    },
    '/api/v1/isin/:isin': async (request: { params: { isin: string } }) =>
      json(JSON.stringify({ isin: request.params.isin, entities: await store.isin(request.params.isin) })),
    '/api/v1/search': async (request: Request) => {
      const text = new URL(request.url).searchParams.get('q') ?? '';
      return json(JSON.stringify(await store.search(text)));
    },
  };
}
