/** LEI issuers: the prefix of their LEIs, and their own LEI (ManagingLOU). */
import { type Country, countries } from './countries.ts';

export interface Issuer {
  readonly prefix: string;
  readonly lei: string;
  /** How this issuer writes times: the offset from UTC, and whether with milliseconds. */
  readonly offset: 'Z' | '+00:00' | 'central-europe' | '+05:30' | '+08:00' | '-05:00';
  readonly milliseconds: boolean;
}

function issuer(prefix: string, lei: string, offset: Issuer['offset'], milliseconds = false): Issuer {
  return { prefix, lei, offset, milliseconds };
}

/** Issuers that serve every country, with their weights in the rest that national issuers leave. */
const internationalIssuers: readonly (readonly [Issuer, number])[] = [
  [issuer('2549', '5493001KJTIIGC8Y1R12', 'Z', true), 26],
  [issuer('5493', '5493001KJTIIGC8Y1R12', 'Z', true), 16],
  [issuer('9845', '529900T8BM49AURSDO55', '+00:00'), 24],
  [issuer('8945', '529900F6BNUR3RJ2WH29', '+00:00'), 18],
  [issuer('6367', '549300O897ZC5H7CY412', 'Z'), 6],
  [issuer('8755', '52990034RLKT0WSOAM90', 'central-europe'), 5],
  [issuer('3912', '39120001KULK7200U106', 'central-europe', true), 3],
  [issuer('8368', '655600IJ8LS3CCDA4421', '+08:00'), 1],
  [issuer('4117', '4117IB8J63IUO2SES575', '-05:00', true), 1],
];

const nationalIssuers: readonly Issuer[] = [
  issuer('3358', '335800FVH4MOKZS9VH40', '+05:30'),
  issuer('5299', '5299000J2N45DDNE4Y28', 'central-europe', true),
  issuer('2138', '213800WAVVOPS85N2205', 'Z', true),
  issuer('8156', '815600EAD78C57FCE690', 'central-europe'),
  issuer('3003', '655600IJ8LS3CCDA4421', '+08:00'),
  issuer('9695', '969500Q2MA9VBQ8BG884', 'central-europe', true),
  issuer('9598', '959800R2X69K6Y6MX775', 'central-europe'),
  issuer('7245', '724500A93Z8V1MJK5349', 'central-europe'),
  issuer('7437', '743700OO8O2N3TQKJC81', 'central-europe'),
  issuer('2594', '259400L3KBYEVNHEJF55', 'central-europe'),
  issuer('2221', '213800WAVVOPS85N2205', 'central-europe', true),
  issuer('5067', '52990034RLKT0WSOAM90', 'central-europe'),
  issuer('3157', '315700LK78Z7C0WMIL03', 'central-europe'),
  issuer('0979', '097900BEFH0000000217', 'central-europe'),
  issuer('2614', '529900F6BNUR3RJ2WH29', '+00:00'),
  issuer('3538', '353800279ADEFGKNTV65', 'Z', true),
  issuer('9884', '9884008RRMX1X5HV6625', 'Z', true),
  issuer('6354', '635400DZBUIMTBCXGA12', 'Z'),
  issuer('4851', '48510000JZ17NWGUA510', 'central-europe'),
  issuer('7872', '254900LXHEVKYGERER05', 'central-europe'),
  issuer('7478', '7478000050A040C0D041', 'central-europe'),
  issuer('7890', '789000TVSB96MCOKSB52', '+00:00'),
  issuer('3789', '378900F4A0A690EA6735', 'central-europe'),
  issuer('5586', '558600FNC30A8J9EGQ54', 'Z'),
];

/** An issuer's share of all LEIs, and the countries it serves with their weights, in order of prefix. */
export interface IssuerShare {
  readonly issuer: Issuer;
  readonly share: number;
  readonly countries: readonly (readonly [string, number])[];
}

/** Issuers in order of prefix, which is the order of the golden copy: it is sorted by LEI. */
export function issuerShares(): readonly IssuerShare[] {
  const left = internationalIssuers.reduce((sum, [, weight]) => sum + weight, 0);
  const international = internationalIssuers.map(([entry, weight]) =>
    shareOf(
      entry,
      countries,
      (country) => (country.share * (1 - (country.issuer?.share ?? 0)) * weight) / left,
    ),
  );
  const national = nationalIssuers.map((entry) => {
    const served = countries.filter((country) => country.issuer?.prefix === entry.prefix);
    return shareOf(entry, served, (country) => country.share * (country.issuer?.share ?? 0));
  });
  return [...international, ...national]
    .filter(({ share }) => share > 0)
    .sort((a, b) => (a.issuer.prefix < b.issuer.prefix ? -1 : 1));
}

function shareOf(
  entry: Issuer,
  served: readonly Country[],
  weightIn: (country: Country) => number,
): IssuerShare {
  const weights = served.map((country) => [country.code, weightIn(country)] as const);
  return { issuer: entry, share: weights.reduce((sum, [, weight]) => sum + weight, 0), countries: weights };
}
