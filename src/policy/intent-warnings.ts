/** What a policy says of its intents that detection will not do as its author may think. Pure. */
import { foldWords } from "../intent/lexical/fold.ts";
import type { PolicyDocument } from "./document-schema.ts";

interface Warning {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export function warnIntents(document: PolicyDocument): Warning[] {
  return [...unasked(document), ...shared(document)];
}

/** Words for a layer that the policy does not ask. */
function unasked({ detection, intents }: PolicyDocument): Warning[] {
  return (["keywords", "patterns"] as const)
    .filter((layer) => !detection.layers.includes(layer))
    .filter((layer) => Object.values(intents).some((intent) => intent[layer].length > 0))
    .map((layer) => ({
      path: ["detection", "layers"],
      message: `lacks \`${layer}\`, so the intents' ${layer} are not looked for`,
    }));
}

/** Allowed, since an author may mean it: both intents are found, and their tools united. */
function shared({ intents }: PolicyDocument): Warning[] {
  const owners = new Map<string, string>();
  const warnings: Warning[] = [];
  for (const [name, intent] of Object.entries(intents)) {
    intent.keywords.forEach((keyword, index) => {
      const { exact } = foldWords(keyword);
      const path = ["intents", name, "keywords", index];
      const owner = owners.get(exact);
      if (exact === "") warnings.push({ path, message: "holds nothing that could be found" });
      else if (owner === undefined) owners.set(exact, name);
      else if (owner !== name) {
        warnings.push({ path, message: `is a keyword of \`${owner}\` too: where it is met, both intents are found` });
      }
    });
  }
  return warnings;
}
