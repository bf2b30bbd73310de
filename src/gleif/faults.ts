/** Errors of GLEIF's API: `{"errors":[…]}`. */

/** A fault of one parameter. */
export interface GleifFault {
  /** As `source.parameter` shows it. */
  readonly parameter: string;
  /** A sentence that says what is allowed. */
  readonly detail: string;
}

/** The most faults that one answer lists: an address has room for thousands, and each lists what is allowed. */
export const faultsMax = 20;

interface GleifError {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Absent for an error that no parameter causes. */
  readonly parameter?: string;
}

/** The titles by status, as GLEIF's service writes them where that is known. */
const titles: Readonly<Record<number, string>> = {
  400: 'Invalid Query Parameter',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

export function titleOf(status: number): string {
  return titles[status] ?? 'Error';
}

/** JSON of the body of an error. */
export function errorDocument(errors: readonly GleifError[]): string {
  return JSON.stringify({
    errors: errors.map(({ status, title, detail, parameter }) => ({
      status: String(status),
      title,
      detail,
      ...(parameter === undefined ? {} : { source: { parameter } }),
    })),
  });
}

export const gleifMediaType = 'application/vnd.api+json';
