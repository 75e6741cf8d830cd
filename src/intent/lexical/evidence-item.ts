/** Evidence while it is weighed against other evidence. Indices are those of the folded text. Pure. */
export interface Item {
  /** Number of the intent, in the policy's order. */
  readonly intent: number;
  readonly layer: "keywords" | "patterns";
  /** The policy's keyword or pattern, as written. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
  /** Specificity: how many letters and digits of the message the policy's own words account for. */
  readonly weight: number;
  discounted?: "negated" | "overruled";
}
