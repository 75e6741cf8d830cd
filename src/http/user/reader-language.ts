/** The reader's language, as their browser names it. Pure. */
import { type Language, languages } from "../../lib/text/languages.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";

/** The first supported one of `accept-language`; weights are ignored: browsers list the best first. */
export function acceptedLanguage(headers: Headers): Language | undefined {
  const accepted = (headers.get("accept-language") ?? "").slice(0, 256).toLowerCase().split(",");
  return accepted
    .map((one) => /^[a-z]+/.exec(one.trim())?.[0])
    .map((primary) => languages.find((language) => language === primary))
    .find((language) => language !== undefined);
}

/** If no conversation has a language: the reader's, else the policy's. */
export function readerLanguage({ confirmation }: CompiledPolicy, headers: Headers): Language {
  const accepted = acceptedLanguage(headers);
  if (accepted !== undefined) return accepted;
  return confirmation.language === "auto" ? "en" : confirmation.language;
}
