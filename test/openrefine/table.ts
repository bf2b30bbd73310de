/** A table of company names as somebody typed them, with the company that each row means. */
import { makeQuestions, type NamedCompany } from '../bench/match/questions.ts';
import { runLei } from '../support/run-lei.ts';

export interface Table {
  readonly csv: string;
  /** The LEI that each row means; null if the company is not in the data. */
  readonly meant: readonly (string | null)[];
}

const seed = 20261123;

/** Every third row is a company that the data do not have. */
export async function dirtyTable(dataDir: string, rows: number): Promise<Table> {
  const { stdout } = await runLei(dataDir, 'export', '--format', 'ndjson');
  const loaded = stdout.trimEnd().split('\n').map(namedCompany);
  // No company has this name, though all of its words except the first are common.
  const aside = loaded.map((company, index) => ({
    ...company,
    lei: `NONE${index}`,
    name: company.name.replace(/^\S+/, `Quizzaxon${index % 90}`),
    otherNames: [],
  }));
  const asked = makeQuestions({ loaded, aside }, rows, seed);
  const lines = asked.map(({ question }) => `${quoted(question.name ?? '')},${question.country ?? ''}`);
  return {
    csv: `${['company,country', ...lines].join('\n')}\n`,
    meant: asked.map(({ meant }) => meant),
  };
}

function namedCompany(line: string): NamedCompany {
  const { lei, entity } = JSON.parse(line);
  const others: readonly { readonly name: string }[] = [
    ...entity.otherNames,
    ...entity.transliteratedOtherNames,
  ];
  const { name } = entity.legalName;
  const { country, city } = entity.legalAddress;
  const { registeredAs, headquartersAddress: headquarters } = entity;
  const otherNames = others.map((other) => other.name);
  return { lei, name, otherNames, country, city, headquarters, registeredAs };
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
