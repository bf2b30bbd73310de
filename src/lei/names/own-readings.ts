/** Reads the further names that a company's own name holds: without its state or its trustee, and in short. */
import { isAcronym, isInitialsOf, isShortNameOf, saysOther } from './acronyms.ts';
import { stateBeside } from './company-states.ts';
import { withFormAtEnd } from './inner-forms.ts';
import { splitAt, trustIn } from './parties.ts';

/** A further name that a company's own name holds. */
interface OwnReading {
  readonly text: string;
  /** A short name beside the whole one, or the trust without its trustee; null for a whole name. */
  readonly kind: 'short' | 'trust' | null;
}

/** The words between a name and its short form, in the company's own statutes. */
const inShort =
  /[\s,;(-]+(?:(?:e|o|ovvero|oppure)\s+(?:pi[uù]['’]?\s+brevemente|in\s+forma\s+abbreviata|in\s+breve|anche)|in\s+breve|in\s+sigla|in\s+forma\s+abbreviata|siglabile|enunciabile\s+anche|abbreviato|(?:ou\s+)?en\s+abr[ée]g[ée]|afgekort|verkort|in\s+short|abbreviated(?:\s+as)?|kurz|abgek[uü]rzt|ve?\s+zkratce|zkr[aá]cen[eě]|w\s+skr[oó]cie|r[oö]viden|skra[cć]eno|skra[cć]en[ai]\s+tvrtka|krajše|pe\s+scurt|em\s+abreviado|abreviadamente|en\s+abreviatura|сокращенно|k[ıi]saca)[\s:,"'’]+/iu;

/** The readings of a company's own name beside the name as it stands: without its state, acronym or trustee, and in short. */
export function ownReadingsOf(text: string): readonly OwnReading[] {
  const bare = stateBeside(text)?.name ?? text;
  const wholes = new Set([bare, withFormAtEnd(bare)]);
  wholes.delete(text);
  const found: OwnReading[] = Array.from(wholes, (whole) => ({ text: whole, kind: null }));
  const trust = trustIn(bare);
  if (trust !== null) found.push({ text: trust, kind: 'trust' });
  for (const { whole, short } of [besideShort(bare), inBrackets(bare), inFront(bare)].filter(isThere)) {
    found.push({ text: whole, kind: null }, { text: short, kind: 'short' });
  }
  return found;
}

/** A whole name and the short one that stands beside it. */
interface BothNames {
  readonly whole: string;
  readonly short: string;
}

function isThere(names: BothNames | null): names is BothNames {
  return names !== null;
}

function besideShort(text: string): BothNames | null {
  const names = splitAt(text, inShort);
  if (names === null || names.before === '' || names.after === '') return null;
  return { whole: names.before, short: names.after };
}

/** "British American Tobacco (BAT) plc". */
function inBrackets(text: string): BothNames | null {
  const [, name = '', short = '', end = ''] =
    /^(.{5,}?)\s*\(\s*([^()]{2,10})\s*\)\s*((?:[^\p{L}]*[\p{L}]{1,5}\.?){0,3})$/u.exec(text) ?? [];
  return isShortNameOf(short, name) && !saysOther(short) ? { whole: `${name} ${end}`, short } : null;
}

/**
 * "BNI - Banco de Negócios Internacional", "IBM-International Business Machines". A hyphen without spaces also joins two words of
 * one name, such as Coca-Cola.
 */
function inFront(text: string): BothNames | null {
  const [, short = '', mark = '', whole = ''] = /^([\p{Lu}&.]{2,8})(\s*[-–:]\s*)(.{6,})$/u.exec(text) ?? [];
  const isShort = mark === '-' ? isInitialsOf(short, whole) : isAcronym(short, whole);
  return isShort && !saysOther(short) ? { whole, short } : null;
}
