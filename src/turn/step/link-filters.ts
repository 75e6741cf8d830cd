/** Filters for the links in a step's text. They are used only if untrusted text is in the conversation, which may have chosen the links. */
import { once } from "../../lib/once.ts";
import { observesAll } from "../../policy/observe.ts";
import { readResult } from "../../policy/origin/sources/result-values.ts";
import type { SourceText } from "../../policy/origin/sources/sources.ts";
import { isTrustedAt } from "../../policy/origin/sources/trust.ts";
import { namedHosts } from "../../wire/links/named-hosts.ts";
import { type EarlierWords, type WordFilters, wordFilters } from "../../wire/links/word-filters.ts";
import { holdsUntrusted } from "../open/untrusted.ts";
import type { Turn } from "../turn.ts";
import { recordLink } from "../turn-log.ts";
import { sourceTexts } from "./call-sources.ts";

/**
 * Undefined: the text passes unchanged.
 * @param ahead whether the step itself may bring untrusted text, before its own text.
 */
export function linkFilters(turn: Turn, ahead: boolean): WordFilters | undefined {
  const { input, log } = turn;
  const { links, hosts } = input.policy.words;
  if (links === "allow" || observesAll(input.policy)) return undefined;
  if (!ahead && !log.untrusted && !holdsUntrusted(input.policy, input.request.messages)) return undefined;
  // Computed late: most replies hold no link.
  const named = once(() => namedHosts(namingTexts(sourceTexts(turn)), hosts));
  return wordFilters(
    {
      named: { isNamed: (host) => named().isNamed(host), isNamedMail: (host) => named().isNamedMail(host) },
      removes: links === "remove",
      onChanged: (host) => recordLink(log, host),
    },
    earlierWords(turn),
  );
}

/** UTF-16 units of a step's text that are kept for the record: of a longer text only the beginning is known. */
const MAX_KEPT_TEXT = 64 * 1024;

/** A reply that is sent whole has only the last step's text. */
function earlierWords({ input, log: { steps, text } }: Turn): EarlierWords | undefined {
  if (!input.request.stream || (steps === 0 && text === "")) return undefined;
  return { content: text.length < MAX_KEPT_TEXT ? text : undefined };
}

/** The user's words, and whole values of trusted results: a longer value may hold untrusted text. */
function* namingTexts(texts: readonly SourceText[]): Generator<string> {
  for (const source of texts) {
    if (source.kind === "user") {
      yield source.text;
      continue;
    }
    const trust = { whole: source.trust.whole || source.directory === true, fields: source.trust.fields };
    if (!trust.whole && trust.fields.length === 0) continue;
    for (const { pointer, value } of readResult(source.text).leaves)
      if (typeof value === "string" && !/\s/.test(value.trim()) && isTrustedAt(trust, pointer)) yield value.trim();
  }
}
