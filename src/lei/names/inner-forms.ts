/** Moves a legal form that stands between the words of a name behind them. */

/** A legal form between the words of a name: in Greece before the line of business, in North Macedonia before the city. */
const innerForm =
  /^(.+?)\s+(αν[ωώ]νυμ(?:η|ος)\s+εταιρε?[ιί]α|ιδιωτικ[ηή]\s+κεφαλαιουχικ[ηή]\s+εταιρε?[ιί]α|α\.?ε\.?|ι\.?κ\.?ε\.?|дооел|доо|ад)\s+(.+)$/iu;
/** "Single-member", before a Greek form. */
const singleMember = /\s+μονοπρ[οό]σωπη(?=\s)/iu;

/** The text with such a form behind the other words. */
export function withFormAtEnd(text: string): string {
  return text.replace(singleMember, '').replace(innerForm, '$1 $3 $2');
}
