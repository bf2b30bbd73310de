/** Assigns entities to LEI issuers in consecutive runs, in the order of the issuers' prefixes. */
import { Chooser, elementOf, type Random } from './random.ts';
import { type Country, countryByCode } from './vocabulary/countries.ts';
import { type Issuer, type IssuerShare, issuerShares } from './vocabulary/issuers.ts';

export class IssuerRuns {
  private readonly starts: Uint32Array;
  private readonly shares: readonly IssuerShare[];
  private readonly choosers: readonly Chooser<string>[];

  constructor(entities: number) {
    this.shares = issuerShares();
    this.choosers = this.shares.map((share) => new Chooser(share.countries));
    this.starts = new Uint32Array(this.shares.length + 1);
    const total = this.shares.reduce((sum, { share }) => sum + share, 0);
    let sum = 0;
    this.shares.forEach(({ share }, run) => {
      sum += share;
      this.starts[run + 1] = Math.round((entities * sum) / total);
    });
  }

  runOf(entity: number): number {
    let run = 0;
    while ((this.starts[run + 1] ?? Number.POSITIVE_INFINITY) <= entity) run++;
    return run;
  }

  issuer(run: number): Issuer {
    return elementOf(this.shares, run).issuer;
  }

  country(run: number, random: Random): Country {
    const code = elementOf(this.choosers, run).choose(random);
    const country = countryByCode.get(code);
    if (country === undefined) throw new Error(`no country ${code}`);
    return country;
  }

  /** The position of an entity among those of its issuer: from 0 up to but not including 1. */
  position(run: number, entity: number, jitter: number): number {
    const start = this.starts[run] ?? 0;
    return (entity - start + jitter) / ((this.starts[run + 1] ?? entity + 1) - start);
  }
}
