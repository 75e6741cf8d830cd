/** Mere praise is no yes to what deletes, cancels or pays: "perfect" may be said of the thing itself. Pure. */
import { toolEffects } from "../../policy/origin/roles/tool-verbs.ts";
import type { Act, AskedWords } from "./acts.ts";
import { findPhrases } from "./message-phrases.ts";

const GRAVE: readonly Act[] = ["delete", "cancel", "pay", "refund"];

export function needsMoreThanPraise(tool: string, { acts, isMixed }: AskedWords): boolean {
  const effects = toolEffects(tool);
  return isMixed || effects.has("destroy") || effects.has("pay") || GRAVE.some((act) => acts.has(act));
}

/** @param message all of it. */
export function onlyPraises(message: string, tool: string, asked: AskedWords): boolean {
  const kinds = findPhrases(message)?.map(({ kind }) => kind) ?? [];
  const isPraise = kinds.includes("praise") && !kinds.some((kind) => kind === "yes" || kind === "y" || kind === "code");
  return isPraise && needsMoreThanPraise(tool, asked);
}
