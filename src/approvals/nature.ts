/** What a tool is, in short, as a person was told it: an answer, or a grant, is for that and for nothing else. Pure. */
import type { Category } from "../policy/selectors.ts";
import { plainLine } from "./disclosure/plain-line.ts";

interface Told {
  readonly category: Category;
  readonly reversible: boolean;
  readonly destination?: string | null | undefined;
}

/** The same of a tool's traits and of the disclosure that was made of them. */
export const natureOf = ({ category, reversible, destination }: Told): string =>
  JSON.stringify([category, reversible, destination == null ? null : toldDestination(destination)]);

export const toldDestination = (destination: string): string => plainLine(destination, 200);
