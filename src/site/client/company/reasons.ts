/** Explains in words why a company reports no parent, for both the page and its picture. */

/** As in the answers about relationships. */
export interface ShownException {
  readonly reasons: readonly string[];
  readonly references: readonly string[];
}

/** Codes of the reporting exceptions format 2.1, and older ones that are still published. */
const reasonTexts: Readonly<Record<string, string>> = {
  NATURAL_PERSONS: 'natural persons own it, not a company',
  NO_KNOWN_PERSON: 'nobody is known to control it',
  NON_CONSOLIDATING: 'its owners need not prepare consolidated accounts',
  NO_LEI: 'its parent does not consent to have an LEI',
  NON_PUBLIC: 'its parent is not public',
  BINDING_LEGAL_COMMITMENTS: 'a contract forbids naming its parent',
  LEGAL_OBSTACLES: 'the law forbids naming its parent',
  DISCLOSURE_DETRIMENTAL: 'naming its parent would do harm',
  DETRIMENT_NOT_EXCLUDED: 'naming its parent might do harm',
  CONSENT_NOT_OBTAINED: 'its parent does not consent to be named',
};

/** The reasons as the end of a sentence. An unknown code stays as published. */
export function reasonText({ reasons }: ShownException): string {
  if (reasons.length === 0) return 'no reason is given';
  return reasons.map((reason) => reasonTexts[reason] ?? reason).join('; ');
}

/** Sentences about what is missing above a company; one if both parents are missing for the same reason. */
export function missingSentences(
  direct: ShownException | null,
  ultimate: ShownException | null,
): readonly string[] {
  const [ofDirect, ofUltimate] = [direct, ultimate].map((each) => each && reasonText(each));
  if (ofDirect && ofDirect === ofUltimate) return [`No parent is reported: ${ofDirect}.`];
  return [
    ...(ofDirect ? [`No direct parent is reported: ${ofDirect}.`] : []),
    ...(ofUltimate ? [`No ultimate parent is reported: ${ofUltimate}.`] : []),
  ];
}
