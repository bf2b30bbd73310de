/** How people write the state of a company beside its name: `in liquidation`, `в ликвидации`. */
const states =
  'in liq(?:uidation|uidaci[oó]n|uidazione|uida[cç][aã]o|\\.)?|i\\. ?l\\.?|i\\. ?liq\\.?|in abwicklung|in liquidation|en liquidation(?: judiciaire)?|en liquidaci[oó]n|' +
  'in liquidazione|em liquida[cç][aã]o|in vereffening|in liquidatie|w likwidacji|w upad[lł]o[sś]ci|w restrukturyzacji|' +
  'v likvid[aá]ci[ií]?|v konkurzu|u likvidaciji|u ste[cč]aju|v ste[cč]aju|v likvidaciji|[iî]n lichidare|[iî]n faliment|в ликвидация|в ликвидации|в несъстоятелност|' +
  'under likvidation|i likvidation|under konkurs|i konkurs|under konkursbehandling|under avvikling|under tvangsavvikling|' +
  'konkurssissa|selvitystilassa|likvideerimisel|pankrotis|likvid[eē]jam[aā]|likviduojama[s]?|bankrutavusi|tasfiye halinde|' +
  'f\\. ?a\\.|felsz[aá]mol[aá]s alatt|v\\. ?a\\.|v[eé]gelsz[aá]mol[aá]s alatt|' +
  'υπο εκκαθαριση|υπό εκκαθάριση|in administration|in receivership|in examinership|in voluntary liquidation|' +
  'in members voluntary liquidation|in creditors voluntary liquidation|in provisional liquidation|under liquidation|' +
  'in compulsory liquidation|in bankruptcy|debtor[ -]in[ -]possession|dissolved|struck off|in dissolution|' +
  'in insolvenz|i\\. ?i\\.|in konkurs|en concurso(?: de acreedores)?|en redressement(?: judiciaire)?|' +
  'in faillissement|in fallimento|fallito|in amministrazione straordinaria|in concordato(?: preventivo)?|in l\\.?c\\.?a\\.?|' +
  'em recupera[cç][aã]o judicial|en disolucion|清算中|破产清算';
/** A state behind a name, or in front of it in some languages. */
const stateMark = new RegExp(
  `(?:^|[\\s,;–(-]+)(?:${states})\\)?[\\s.]*$|^(?:tasfiye halinde|in liquidation)[\\s:,-]+`,
  'iu',
);

/** A name without the state that is written beside it, and that state; null where no state is. */
export function stateBeside(text: string): { readonly name: string; readonly state: string } | null {
  const found = stateMark.exec(text);
  if (found === null || text.length - found[0].length < 3) return null;
  return {
    name: text.replace(stateMark, '').replace(/[\s,;(-]+$/, ''),
    state: found[0].replace(/^[\s,;–(-]+|[\s)]+$/g, '').toLowerCase(),
  };
}
