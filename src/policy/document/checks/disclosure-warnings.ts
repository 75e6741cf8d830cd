/** What a person would be told that the tool does not have: names in templates, pointers of a preview. Pure. */
import { placesOf } from "../../../approvals/disclosure/template.ts";
import { pointerKeys, valueAt } from "../../../lib/json/json-pointer.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warn } from "../policy-warning.ts";

export function warnDisclosures(document: PolicyDocument, warn: Warn): void {
  for (const [key, settings] of Object.entries(document.tools)) {
    const properties = valueAt(settings.parameters, ["properties"]);
    if (typeof properties !== "object" || properties === null) continue;
    const has = (name: string) => Object.hasOwn(properties, name);
    for (const place of settings.disclosure === undefined ? [] : placesOf(settings.disclosure)) {
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
