/** PostgreSQL with pg_trgm behind `Bun.serve` and Bun's own client. Argument: the socket folder of the database. */
import { SQL } from 'bun';
import { type BesideStore, type CompanyRow, type RelationRow, serveBeside } from './beside-answers.ts';

const connections = 8;

function postgresStore(port: string): BesideStore {
  const sql = new SQL({
    hostname: '127.0.0.1',
    port: Number(port),
    username: 'bench',
    database: 'postgres',
    max: connections,
  });
  return {
    async company(lei) {
      const rows: { json: string }[] = await sql`SELECT json FROM companies WHERE lei = ${lei}`;
      return rows[0]?.json ?? null;
    },
    async relationships(lei) {
      const [parents, children]: [RelationRow[], RelationRow[]] = await Promise.all([
        sql`SELECT r.end_lei AS lei, c.name, r.type, r.json FROM relationships r LEFT JOIN companies c ON c.lei = r.end_lei WHERE r.start_lei = ${lei}`,
        sql`SELECT r.start_lei AS lei, c.name, r.type, r.json FROM relationships r LEFT JOIN companies c ON c.lei = r.start_lei WHERE r.end_lei = ${lei} ORDER BY c.name, r.start_lei`,
      ]);
      return { parents, children };
    },
    async isin(value) {
      const rows: CompanyRow[] =
        await sql`SELECT i.lei, c.name, c.country, c.status FROM isins i LEFT JOIN companies c ON c.lei = i.lei WHERE i.isin = ${value}`;
      return rows;
    },
    async search(text) {
      const items: CompanyRow[] =
        await sql`SELECT lei, name, country, status FROM companies WHERE name % ${text} ORDER BY similarity(name, ${text}) DESC LIMIT 20`;
      return { total: items.length, items };
    },
  };
}

serveBeside(postgresStore(process.argv[2] ?? ''));
