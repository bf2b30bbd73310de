/** Reads the address of a street or a post box out of the end of a name: "Larkmoor AG, 12 Main Street, Sydney". */

const lot = '(?:(?:level|suite|unit|floor|shop|apt|ste|lot|building|bldg)\\.? ?\\d+[a-z]?[,/ ]+)*';
const house = '\\d+[a-z]?(?:[-/]\\d+[a-z]?)?';
const words = "(?:[\\p{L}.'’-]+ ){1,4}";
const english =
  '(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|crescent|terrace|square|parade|highway|hwy|place|way|close)\\.?';
const street = [
  `${lot}${house} ${words}${english}`,
  `${house},? (?:rue|avenue|av\\.?|boulevard|bd\\.?|place|all[ée]e|quai|chemin) ${words.replace('{1,4}', '{0,4}')}[\\p{L}.'’-]+`,
  `(?:via|viale|piazza|corso|calle|avenida|avda\\.?|plaza|paseo|rua) (?:[\\p{L}.'’-]+,? ){1,4}(?:n\\.?[°º]? ?)?${house}`,
  `(?:[\\p{L}.-]+ ){0,3}[\\p{L}.-]*(?:str(?:\\.|a(?:ss|ß)e)|weg|platz|gasse|allee|straat|gatan) ?${house}`,
  '(?:g\\.?p\\.?o\\.?|p\\.?o\\.?|post(?:al)?) ?box \\d+',
].join('|');
const streetBehind = new RegExp(
  `(?:\\s*[,;|\\n(]\\s*|\\s+[-–]\\s+)(?:${street})\\)?((?:\\s*,[^,]{2,40}){0,3})$`,
  'iu',
);

/** A city of the address stays, unless its postal code is beside it. The same for a text without an address. */
export function withoutStreet(text: string): string {
  return text.replace(streetBehind, (_, city: string) => (/\d/.test(city) ? '' : city));
}
