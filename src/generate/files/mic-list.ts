/** Generates the ISO 10383 list with its 17 columns: operating markets and their segments. */
import { letters } from '../codes.ts';
import type { Market } from '../mappings.ts';
import { mix, purposes } from '../random.ts';
import type { World } from '../world.ts';
import { csvLine } from './csv.ts';

const columns = [
  'MIC',
  'OPERATING_MIC',
  'OPRT_SGMT',
  'MARKET_NAME_INSTITUTION_DESCRIPTION',
  'LEGAL_ENTITY_NAME',
  'LEI',
  'MARKET_CATEGORY_CODE',
  'ACRONYM',
  'ISO_COUNTRY_CODE',
  'CITY',
  'WEBSITE',
  'STATUS',
  'CREATION_DATE',
  'LAST_UPDATE_DATE',
  'LAST_VALIDATION_DATE',
  'EXPIRY_DATE',
  'COMMENTS',
];
const categories = ['RMKT', 'MLTF', 'SINT', 'OTFS', 'APPA', 'NSPD'];
/** The most segments of one operating market. */
const segmentsMost = 4;

/** The lines of the list: the header, then every operating market with up to four segments. */
export function* micListText(world: World, operating: readonly Market[]): Generator<string> {
  yield csvLine(columns);
  for (const [index, { mic, entity }] of operating.entries()) {
    const country = world.country(entity);
    const city = country.places[0]?.latin.toUpperCase() ?? '';
    const draw = mix(world.seed, purposes.market, index);
    const describe = (code: string, kind: string, name: string, lei: string) =>
      csvLine([
        code,
        mic,
        kind,
        name,
        '',
        lei,
        categories[draw % categories.length] ?? 'NSPD',
        '',
        country.code,
        city,
        '',
        draw % 9 === 0 ? 'EXPIRED' : 'ACTIVE',
        '20210927',
        '20250526',
        '20250526',
        '',
        '',
      ]);
    yield describe(mic, 'OPRT', `${city} EXCHANGE ${index + 1}`, world.lei(entity));
    for (let segment = 0; segment < draw % (segmentsMost + 1); segment++) {
      const code = segmentCode(index * segmentsMost + segment);
      yield describe(code, 'SGMT', `${city} EXCHANGE ${index + 1} - SEGMENT ${segment + 1}`, '');
    }
  }
}

/** MICs of segments begin with S, MICs of operating markets with X. */
function segmentCode(number: number): string {
  return `S${letters(number % 26 ** 3, 3)}`;
}
