/** What a person's answer or grant depends on beside the arguments: with another profile, it is another tool to them. Pure. */
import { plainLine } from "../lib/text/plain-line.ts";
import type { Category } from "./selectors.ts";

interface RiskProfile {
  readonly category: Category;
  readonly reversible: boolean;
  readonly destination?: string | null | undefined;
}

/** The same for a tool's traits and for the disclosure that was made from them. */
export const riskProfileOf = ({ category, reversible, destination }: RiskProfile): string =>
  JSON.stringify([category, reversible, destination == null ? null : plainLine(destination, 200)]);
