/** What the price of a call depends on beside its model and its size. */
export interface PriceTerms {
  /** `standard`, `priority`, `flex`, `batch`, or another word of a vendor in lower case. */
  readonly tier?: string
  /** How fast the answer is generated: `standard` or `fast`. */
  readonly speed?: string
  /** Where it is generated: `global`, or a region such as `us`. */
  readonly geo?: string
  /** Why other prices than those of the requested model count: `fallback_message`, `advisor_message` or `credit` of messages. */
  readonly hop?: string
}
