/** The query parameters of the API, each read by one rule into a narrow type. */
import { registrationStatuses } from '../../lei/codes.ts';
import { searchTextMax, searchTextMin } from '../../protocol/questions.ts';
import type { ParameterFault } from '../problems.ts';
import type { Endpoint } from './endpoints.ts';
import { readQuery } from './query-string.ts';

export type ParameterName = 'q' | 'country' | 'status' | 'cursor' | 'limit';

export interface Parameters {
  /** Trimmed, 2 to 500 code points; null on endpoints without it. */
  readonly q: string | null;
  /** Upper case. */
  readonly country: string | null;
  /** Upper case, a registration status. */
  readonly status: string | null;
  /** As sent; not opened yet. */
  readonly cursor: string | null;
  /** 1 to 100. */
  readonly limit: number;
  /** False where the default stands in. */
  readonly limitGiven: boolean;
}

export const limitDefault = 20;
export const limitMax = 100;

const statuses: readonly string[] = registrationStatuses;

/** What endpoints without parameters are asked with. */
export const noParameters: Parameters = {
  q: null,
  country: null,
  status: null,
  cursor: null,
  limit: limitDefault,
  limitGiven: false,
};

/** Reads and checks a query string; every fault is added to `faults`. */
export function readParameters(
  text: string,
  { parameters: known }: Pick<Endpoint, 'parameters'>,
  faults: ParameterFault[],
): Parameters {
  if (text === '' && !known.includes('q')) return noParameters;
  const values = readQuery(text, known, faults);
  const read = <T>(name: ParameterName, parse: (value: string) => T | Refusal): T | null => {
    const value = values.get(name);
    if (value === undefined) return null;
    const parsed = parse(value);
    if (!(parsed instanceof Refusal)) return parsed;
    faults.push({ parameter: name, detail: parsed.detail });
    return null;
  };
  const q = read('q', readSearchText);
  const alreadyFaulty = faults.some((fault) => fault.parameter === 'q');
  if (q === null && known.includes('q') && !alreadyFaulty) {
    faults.push({ parameter: 'q', detail: 'is required: at least 2 characters of a company name' });
  }
  const limit = read('limit', readLimit);
  return {
    q,
    country: read('country', readCountry),
    status: read('status', readStatus),
    cursor: values.get('cursor') ?? null,
    limit: limit ?? limitDefault,
    limitGiven: limit !== null,
  };
}

class Refusal {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

function readSearchText(value: string): string | Refusal {
  const q = value.trim();
  const codePoints = Array.from(q).length;
  if (codePoints >= searchTextMin && codePoints <= searchTextMax) return q;
  return new Refusal(
    `must have ${searchTextMin} to ${searchTextMax} characters, not counting spaces around it`,
  );
}

function readLimit(value: string): number | Refusal {
  const limit = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= limitMax) return limit;
  return new Refusal(`must be a whole number from 1 to ${limitMax}`);
}

/** Whether the country exists depends on the publication too, and is for the query thread to say. */
function readCountry(value: string): string | Refusal {
  if (/^[A-Za-z]{2}$/.test(value)) return value.toUpperCase();
  return new Refusal('must be exactly 2 characters, a country code of ISO 3166-1 alpha-2 as DE');
}

function readStatus(value: string): string | Refusal {
  // Letters of other scripts have ASCII ones as capitals too (ı, ſ).
  const status = /^[A-Za-z_]+$/.test(value) ? value.toUpperCase() : value;
  if (statuses.includes(status)) return status;
  return new Refusal(`must be a registration status of LEI-CDF: ${statuses.join(', ')}`);
}
