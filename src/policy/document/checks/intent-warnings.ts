/** Intents that detection and the model will not treat as their author may expect. Pure. */
import { foldWords } from "../../../intent/lexical/fold.ts";
import { effectiveIntents, guardedDetection } from "../../intent-guard/effective-intents.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warn } from "../policy-issue.ts";

export function warnIntents(document: PolicyDocument, warn: Warn): void {
  warnUnasked(document, warn);
  warnShared(document, warn);
  warnWordless(document, warn);
  if (Object.keys(effectiveIntents(document)).length > 0 || document.handshake.select === "off") return;
  const message = "is not given, so there is one intent, `general`, under which all that the mode permits is offered";
  warn("intent_general", ["intents"], message);
}

/** Words for a layer that the policy does not ask. */
function warnUnasked({ detection, intents }: PolicyDocument, warn: Warn): void {
  for (const layer of ["keywords", "patterns"] as const) {
    if (detection.layers.includes(layer)) continue;
    if (Object.values(intents).every((intent) => intent[layer].length === 0)) continue;
    const message = `lacks \`${layer}\`, so the intents' ${layer} are not looked for`;
    warn("layer_not_asked", ["detection", "layers"], message);
  }
}

/** Allowed, since an author may mean it: both intents are found, and their tools united. */
function warnShared({ intents }: PolicyDocument, warn: Warn): void {
  const owners = new Map<string, string>();
  for (const [name, intent] of Object.entries(intents)) {
    intent.keywords.forEach((keyword, index) => {
      const { exact } = foldWords(keyword);
      const path = ["intents", name, "keywords", index];
      const owner = owners.get(exact);
      if (exact === "") warn("keyword_empty", path, "holds nothing that could be found");
      else if (owner === undefined) owners.set(exact, name);
      else if (owner !== name) {
        warn("keyword_shared", path, `is a keyword of \`${owner}\` too: where it is met, both intents are found`);
      }
    });
  }
}

/** A fallback needs no words: it stands for a message in which nothing was found. */
function warnWordless(document: PolicyDocument, warn: Warn): void {
  const { fallback } = guardedDetection(document);
  const intents = effectiveIntents(document);
  for (const name of Object.keys(document.intents)) {
    const intent = intents[name];
    if (!intent || name === fallback || intent.description !== "") continue;
    if (intent.keywords.length + intent.patterns.length + intent.examples.length > 0) continue;
    const message = "has neither a `description` nor words, so nobody can tell when it is meant: add one of them";
    warn("intent_without_words", ["intents", name], message);
  }
}
