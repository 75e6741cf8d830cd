/** The language that texts are told in where no message of the user's shows one. Pure. */
import { type Language, languages } from "../approvals/disclosed.ts";
import type { CompiledPolicy } from "../policy/compile.ts";

/** The policy's own, or the first of `accept-language` that ships; weights are left aside: browsers list the best first. */
export function readerLanguage({ confirmation }: CompiledPolicy, headers: Headers): Language {
  if (confirmation.language !== "auto") return confirmation.language;
  const accepted = (headers.get("accept-language") ?? "").slice(0, 256).toLowerCase().split(",");
  for (const one of accepted) {
    const primary = /^[a-z]+/.exec(one.trim())?.[0];
    const known = languages.find((language) => language === primary);
    if (known) return known;
  }
  return "en";
}
