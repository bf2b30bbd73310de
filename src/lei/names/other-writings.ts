/** Other ways to write a word of a name: abbreviated, in full, or in Arabic with its article. */
import { withoutLetterPairs } from './name-terms.ts';

/** Abbreviations of narrow columns and hasty writers; each stands for all the words after it. */
const abbreviations =
  'intl international|natl national|mgmt management|mgt management|hldg holding holdings|hldgs holdings|grp group|' +
  'inv investment investments|invs investments|invt investment|svc service services|svcs services|serv services|' +
  'assoc association associates|assn association|assocs associates|mfg manufacturing|mktg marketing|mkt market|' +
  'mkts markets|dev development|devt development|tech technology technologies|techs technologies|univ university|' +
  'bros brothers|dept department|govt government|ind industries industrial|inds industries|eng engineering|' +
  'engg engineering|fin finance financial|ins insurance|prop property properties|props properties|cap capital|' +
  'ptnr partner|ptnrs partners|ptrs partners|tr trust|fd fund|bk bank|gen general|amer american|distr distribution|' +
  'st saint state|dt deutsche|ste societe|soc societe societa sociedad|bco banco|bca banca|bque banque|ges gesellschaft|' +
  // Short names of the FFIEC, in the panels of HMDA reporters and the register of institutions.
  'bks banks|bkg banking|mtg mortgage|mtge mortgage|mort mortgage|cmnty community|comnty community|fncl financial|' +
  'svg savings|svgs savings|sav savings|cty county|empl employees|emp employees|fed federal|lend lending|lndg lending|' +
  'cent central|cmrc commerce|cmrl commercial|coml commercial|scty security|sec securities security|cr credit|' +
  'ctr center centre|fnc finance|nat national|eqt equity|assc associates association|exch exchange|mrch merchants|' +
  'res residential|fam family|rgnl regional|indep independent|sys systems|muni municipal|educ educators educational|' +
  'mw midwest|intrst interstate|inst institution institute|mut mutual|coop cooperative|bus business|priv private|' +
  // Directories of payment systems and of securities.
  'amer america|bldg building|bldrs builders|chem chemical chemicals|comm communications commercial|cons consolidated|' +
  'const construction|corp corporate|elec electric electronics|ent enterprises entertainment|entpr enterprise|' +
  'equip equipment|exp export|hosp hospital|labs laboratories|lab laboratory|mach machinery|med medical|mgr manager|' +
  'mgrs managers|ntl national|petr petroleum|pharm pharmaceuticals pharmaceutical|pharma pharmaceuticals|pwr power|' +
  'resrcs resources|rlty realty|ry railway|secs securities|sys system|tele telephone|telecom telecommunications|' +
  'trans transport transportation|treas treasury|util utilities|utils utilities|' +
  'un union|agric agricole agricultural|cred credit credito|dep deposito depositos|des developpement|econ economica|' +
  'fdo fondo|fid fiduciaria|gen generale|hip hipotecario|imm immobiliere|ind industria|mun municipal|' +
  'participacoes part|seg seguros|ver verwaltung versicherung|vers versicherung|allg allgemeine|ag agricultural|' +
  // States of the United States, by their post codes.
  'tx texas|fl florida|ga georgia|oh ohio|tn tennessee|wi wisconsin|ky kentucky|ut utah|ia iowa|nv nevada|az arizona|' +
  'il illinois|mn minnesota|mi michigan|ar arkansas|ks kansas|mt montana|ca california|mo missouri|va virginia|' +
  'pa pennsylvania|wa washington|hk hongkong';

/** Abbreviations of several words, as the FFIEC writes names of institutions; `&` is a part of them. */
const phrases: ReadonlyMap<string, string> = new Map(
  (
    'fcu federal credit union|cu credit union|nb national bank|fnb first national bank|sb savings bank|' +
    'fsb federal savings bank|ssb state savings bank|tc trust company|b&t bank and trust|b&tc bank and trust company|' +
    'nb&t national bank and trust|nb&tc national bank and trust company|t&sb trust and savings bank|' +
    'sb&t savings bank and trust|sb&tc savings bank and trust company|s&l savings and loan|' +
    's&la savings and loan association|fs&l federal savings and loan|fs&la federal savings and loan association|' +
    'b&l building and loan|b&la building and loan association|fsla federal savings and loan association|' +
    'ncu national credit union|scu state credit union|ccu community credit union|efcu employees federal credit union|' +
    'fc financial corporation|fs financial services|ib industrial bank|stb state bank|a/c ahorro y credito'
  )
    .split('|')
    .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]),
);

/** A name with its abbreviations of several words spelled out: "PRIMEWAY FCU"; the same text if it has none. */
export function spelledOut(text: string): string {
  const begun = text.replace(/^T\.?\s?C\.?\s/, 'Türkiye Cumhuriyeti ').replace(/\bco-op\b/gi, 'Cooperative');
  return begun.replace(/[A-Za-z]+(?:[&/][A-Za-z]+)*/g, (word, at: number) =>
    at === 0 ? word : (phrases.get(word.toLowerCase()) ?? word),
  );
}

let byWord: ReadonlyMap<string, readonly string[]> | null = null;

function abbreviationsByWord(): ReadonlyMap<string, readonly string[]> {
  const pairs = new Map<string, string[]>();
  const add = (word: string, other: string) => {
    const known = pairs.get(word);
    if (known === undefined) pairs.set(word, [other]);
    else known.push(other);
  };
  for (const entry of abbreviations.split('|')) {
    const [short = '', ...full] = entry.split(' ');
    for (const word of full) {
      add(short, word);
      add(word, short);
    }
  }
  return pairs;
}

const arabic = /^[\u0621-\u064a]{3,}$/;
const article = 'ال';

function withOrWithoutArticle(term: string): string[] {
  if (!arabic.test(term)) return [];
  const bare = term.slice(article.length);
  return [term.startsWith(article) && bare.length >= 3 ? bare : article + term];
}

/** Folded, like the word itself. */
export function otherWritings(term: string): string[] {
  byWord ??= abbreviationsByWord();
  return [...withoutLetterPairs(term), ...(byWord.get(term) ?? []), ...withOrWithoutArticle(term)];
}
