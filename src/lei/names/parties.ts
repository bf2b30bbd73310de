/** Reads the names in a text with several parties: in "X c/o Y", "X (formerly Y)" and the like. */

/** One name in a text. */
interface PartyName {
  readonly text: string;
  /** It follows d/b/a or "formerly": a company may have this name, but need not. */
  readonly isOther: boolean;
  /** It is a trust, and the text names its trustee as well. */
  readonly isTrust: boolean;
}

/** These precede somebody else's name, or an address for the post. */
const otherParty =
  /(?:^|[\s,;(-])(?:c\/o|c\/-|care of|p\/a|z\.?\s?hd\.?|zu h(?:ae|ä)nden|attn\.?:?|attention|(?:acting )?(?:for and )?on behalf of|o\/b\/o|obo|for (?:the )?account of|f\/a\/o|acting for|im auftrag|für rechnung|pour le compte de|por cuenta de|per conto di)(?=[\s:.])/i;
/** What funds leave out, at the end of a name or before more words of a fund: "World ex Japan", "Asia ex-China Equity Fund". */
const leftOut =
  '[ -](?:us|usa|uk|ch|emu|eu|japan|china|russia|india|australia|korea|taiwan|europe|switzerland|canada|germany|financials|tobacco)' +
  '(?: (?:fund|index|equity|equities|bond|etf|ucits|portfolio|small|large)\\b.*)?[ )]*$';
/** These precede another name of the same company, a former one or one it trades under. */
const otherName = new RegExp(
  String.raw`(?:[\s,;(-]|^)(?:d/b/a|d\.b\.a\.?|dba|doing business as|t/as?|trading as|operating as|o/a|f/k/a|f\.k\.a\.?|fka|formerly(?: known as| called)?|former(?:ly)? name:?|previously(?: known as)?|ex(?!${leftOut})(?:[.-]|(?= [\p{Lu}]))|vormals|früher|frueher|ehemals|anciennement|ci-devant|antes|antigua(?:mente)?|già|gia'|voorheen|tidigere|tidigare|dawniej|dříve)(?=[\s:.\p{Lu}])`,
  'iu',
);
/** Both names are names of today. */
const sameCompany = /[\s,;(-](?:a\/k\/a|a\.k\.a\.?|aka|also known as|bekannt als|alias)(?=[\s:.])/i;
/** These precede today's name. */
const nameOfToday = /[\s,;(-](?:n\/k\/a|nka|now known as|now called|now)(?=[\s:.])/i;

const asTrustee =
  '(?:acting |solely |only )*(?:in (?:its|his|her|their) capacity )?(?<!(?:trading|operating|known|business) )as (?:the |an? )?';
const trustee =
  '(?:bare |sole |corporate )?(?:co-?)?trustees?(?: and manager)? (?:(?:for and )?on behalf of|for|of)';
const trustWord =
  '\\b(?:trusts?|funds?|super|superannuation|smsf|settlement|settled|estate|deceased|pension|plan|scheme)\\b';
/** These precede the name of a trust or a fund; who runs it stands in front. ATF is a word of other names as well. */
const trusteeMark = new RegExp(
  `^["“”„'‘’«\\s]*(?:the )?${trustee}(?=\\s)|(?:^|[\\s,;(-])(?:${asTrustee}(?:${trustee}|responsible entity (?:for|of))|(?:atf|a/t/f|a\\.t\\.f\\.?)(?=.*${trustWord}))(?=\\s)`,
  'i',
);
const namesTrust = new RegExp(trustWord, 'i');

/** The trust in a text that names its trustee as well; null for other texts. */
export function trustIn(text: string): string | null {
  const trust = splitAt(text, trusteeMark);
  return trust === null || trust.after === '' || otherParty.test(trust.before) ? null : trust.after;
}

/** The names in a text, most certain first. */
export function partiesIn(text: string): readonly PartyName[] {
  const trust = trustIn(text);
  if (trust !== null) return partiesIn(trust).map(asTrust);
  const party = splitAt(text, otherParty);
  if (party !== null) return party.before === '' ? [] : partiesIn(party.before);
  const known = splitAt(text, sameCompany);
  if (known !== null) return [named(known.before), named(known.after)];
  const today = splitAt(text, nameOfToday);
  if (today !== null) return [named(today.after), named(today.before, true)];
  const other = splitAt(text, otherName);
  if (other === null) return [named(text)];
  // "Formerly X" alone has no other name.
  return [...(other.before === '' ? [] : [named(other.before)]), named(other.after, true)];
}

function named(text: string, isOther = false): PartyName {
  return { text, isOther, isTrust: false };
}

/** A company that has a trustee may be the one that profits from a trust. */
function asTrust({ text, isOther }: PartyName): PartyName {
  return { text, isOther: isOther || !namesTrust.test(text), isTrust: true };
}

/** The texts before and behind a mark; null if the mark is not there. */
export function splitAt(
  text: string,
  mark: RegExp,
): { readonly before: string; readonly after: string } | null {
  const found = mark.exec(text);
  if (found === null) return null;
  const trimmed = (part: string) => part.replace(/^[\s,;:.(-]+|[\s,;:(-]+$/g, '');
  const after = text.slice(found.index + found[0].length);
  const [before, behind] = [trimmed(text.slice(0, found.index)), trimmed(after)];
  // The bracket of "X (formerly Y)" closes behind the other name.
  const closed = behind.includes('(') ? behind : behind.replace(/\)+.*$/, '');
  return before === '' && closed === '' ? null : { before, after: closed };
}
