/** What an author should know of a policy's layer `semantic`: whether it has enough to learn from. Pure. */
import type { PolicyDocument } from "../document-schema.ts";
import type { Warn } from "../policy-issue.ts";

/** Fewer than that and what an intent means is a guess; ten are better. */
const ENOUGH_EXAMPLES = 5;
/** Intents that are named; the others are counted. */
const MAX_NAMED = 5;

/** @param intents all that the policy has, the built-in ones of `intentGuard` included. */
export function warnSemantic(
  detection: PolicyDocument["detection"],
  intents: PolicyDocument["intents"],
  warn: Warn,
): void {
  if (!detection.layers.includes("semantic")) return;
  const path = ["detection", "layers"];
  const taught = Object.entries(intents).filter(
    ([name, { description, keywords, examples }]) =>
      examples.length > 0 || (name !== detection.fallback && (description !== "" || keywords.length > 0)),
  );
  if (taught.length < 2) {
    const message = "the layer `semantic` has nothing to tell apart: give `examples` to at least two intents";
    warn("semantic_untaught", path, message);
    return;
  }
  const poor = taught.filter(([, { examples }]) => examples.length < ENOUGH_EXAMPLES).map(([name]) => name);
  if (poor.length === 0) return;
  const named = poor.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  const more = poor.length > MAX_NAMED ? ` and ${poor.length - MAX_NAMED} more` : "";
  const message = `the layer \`semantic\` has little to learn from: fewer than ${ENOUGH_EXAMPLES} examples in ${named.join(", ")}${more}`;
  warn("semantic_few_examples", path, message);
}
