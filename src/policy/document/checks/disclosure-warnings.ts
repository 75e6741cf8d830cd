/** What a person would be told that the tool does not have: names in templates, pointers of a preview. Pure. */

import { pointerKeys, valueAt } from "../../../lib/json/json-value.ts";
import type { LocalText } from "../../../lib/text/languages.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warn } from "../policy-issue.ts";
import { referencesIn } from "./references.ts";

export function warnDisclosures(document: PolicyDocument, warn: Warn): void {
  for (const [key, settings] of Object.entries(document.tools)) {
    const properties = valueAt(settings.parameters, ["properties"]);
    if (typeof properties !== "object" || properties === null) continue;
    const has = (name: string) => Object.hasOwn(properties, name);
    for (const place of settings.disclosure === undefined ? [] : argumentsNamedIn(settings.disclosure)) {
      if (has(place) || has(place.split(".")[0] ?? "")) continue;
      warn(
        "disclosure_argument_unknown",
        ["tools", key, "disclosure"],
        `\`parameters\` has no \`${place}\`, so \`{{${place}}}\` stays as it is written`,
      );
    }
    for (const end of ["before", "after"] as const) {
      const [first = ""] = pointerKeys(settings.preview?.[end] ?? "");
      if (first === "" || has(first)) continue;
      warn(
        "preview_property_unknown",
        ["tools", key, "preview", end],
        "leads to no property of `parameters`, so there is no preview",
      );
    }
  }
}

/** Each as a path. A text with a blank inside is no reference. */
const argumentsNamedIn = (text: LocalText): readonly string[] =>
  (typeof text === "string" ? [text] : Object.values(text))
    .flatMap((one) => referencesIn(one ?? ""))
    .filter((name) => /^\S{1,200}$/.test(name));
