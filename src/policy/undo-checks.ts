/** What a tool's `undo` must name: a tool of the policy, and what the call and its result can give. Pure. */
import type { PolicyDocument } from "./document-schema.ts";
import { valueAt } from "./json-path.ts";
import type { Report } from "./policy-issue.ts";
import { templateFault } from "./undo-arguments.ts";

export function checkUndo(document: PolicyDocument, report: Report): void {
  for (const [key, { undo }] of Object.entries(document.tools)) {
    const tool = typeof undo === "object" ? undo.tool : undo;
    if (tool !== undefined && !Object.hasOwn(document.tools, tool)) {
      report(["tools", key, "undo"], `unknown tool \`${tool}\`, list it in \`tools\``);
    }
    for (const [name, template] of Object.entries(typeof undo === "object" ? (undo.arguments ?? {}) : {})) {
      const fault = templateFault(template);
      if (fault !== undefined) report(["tools", key, "undo", "arguments", name], fault);
    }
  }
}

/** Arguments that the undoing tool does not have, as far as the policy itself gives its parameters. */
export function warnUndo(document: PolicyDocument, warn: Report): void {
  for (const [key, { undo }] of Object.entries(document.tools)) {
    if (typeof undo !== "object") continue;
    const properties = valueAt(document.tools, [undo.tool, "parameters", "properties"]);
    if (typeof properties !== "object" || properties === null) continue;
    for (const name of Object.keys(undo.arguments ?? {})) {
      if (Object.hasOwn(properties, name)) continue;
      warn(
        ["tools", key, "undo", "arguments", name],
        `\`${undo.tool}\` has no argument \`${name}\`, check its spelling`,
      );
    }
  }
}
