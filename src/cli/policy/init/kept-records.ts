/** Which records of a server are the user's own: those that its tools make or change, and not only find. Pure. */
import { takesAddress } from "../../../policy/infer/arguments.ts";
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import type { DraftTool } from "./intent-kinds.ts";

const MAKES: ReadonlySet<InferredEffect> = new Set<InferredEffect>(["create", "change", "note", "destroy"]);

export interface KeptRecords {
  readonly families: ReadonlySet<string>;
  readonly nouns: ReadonlySet<string>;
  /** The tool goes to any address: it may find a third party's records. */
  readonly reachesOut: boolean;
}

/** `create_page` makes a page; `add_product_to_cart` makes no product. */
function makesRecords({ words, inferred }: DraftTool): boolean {
  return MAKES.has(inferred.effect) && !nameWords(words.name).some((word) => word === "to" || word === "into");
}

export function keptRecords(tools: readonly DraftTool[]): KeptRecords {
  const makers = tools.filter(makesRecords);
  return {
    families: new Set(makers.map(({ family }) => family)),
    nouns: new Set(makers.flatMap(namedNouns)),
    reachesOut: tools.some(({ words }) => takesAddress(words.parameters)),
  };
}

function namedNouns({ words, inferred }: DraftTool): readonly string[] {
  const named = nameWords(words.name).map(singular);
  return inferred.nouns.filter((noun) => named.includes(noun));
}

/** It finds records of a kind that the same server keeps; one whose name tells no kind finds all of them (`search`). */
export function findsOwnRecords(tool: DraftTool, { nouns, reachesOut }: KeptRecords): boolean {
  const named = namedNouns(tool);
  if (named.length === 0) return nouns.size > 0 && !reachesOut;
  return !takesAddress(tool.words.parameters) && named.some((noun) => nouns.has(noun));
}
