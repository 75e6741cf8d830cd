/** What the assistant offered to do at the end of its message: "Shall I add it to your calendar?" offers "add it to your calendar". Pure. */
import { lazyRegExp } from "../../lib/once.ts";

const begins = lazyRegExp(
  String.raw`(?:\b(?:shall|should|may|can|could) i|\b(?:do you |would you )?(?:want|like) me to|\bi (?:can|could)|\bsoll(?:te)? ich|\bich (?:kann|könnte)|\b(?:quieres|quiere|desea) que|\b(?:puedo|podría)|\b(?:dois|puis)-je|\bje (?:peux|pourrais)|(?:要|需要)(?:不要)?我|我(?:可以|能)|我来)(?:[ \t]+(?:also|then|now|auch|también|aussi)\b)?[ \t]*(?:帮您|帮你|为您|为你)?(.+)`,
  "iu",
);
/** Japanese and Korean put the offer last. */
const ends = lazyRegExp(String.raw`^(.+?)(?:ましょうか|ておきますか|ますか|할까요|드릴까요)`, "u");

/** UTF-16 units at the end of a message in which an offer is one to go on with. */
const LOOKED_AT = 600;

/** @returns the act of the last offer, in the offer's words; undefined where there is none. */
export function offeredAct(assistant: string): string | undefined {
  const sentences = assistant.slice(-LOOKED_AT).split(/(?<=[.!?。？！])\s*|\n+/);
  for (const sentence of sentences.reverse()) {
    const act = begins().exec(sentence)?.[1] ?? ends().exec(sentence)?.[1];
    const text = act?.replace(/(?:吗|呢)?[\s?？.。!！]*$/u, "").trim();
    if (text) return text;
  }
  return undefined;
}
