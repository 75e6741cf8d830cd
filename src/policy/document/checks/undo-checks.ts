/** What a tool's `undo` must name: a tool of the policy, and what the call and its result can give. Pure. */

import { valueAt } from "../../../lib/json/json-value.ts";
import { nearestName } from "../../../lib/text/nearest-name.ts";
import { systemOf } from "../../arguments/system-arguments.ts";
import { templateFault } from "../../arguments/undo-arguments.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { IssuePath, Report, Warn } from "../policy-issue.ts";
import { declares, parametersOf } from "./declared.ts";

export function checkUndo(document: PolicyDocument, report: Report): void {
  for (const [key, { undo }] of Object.entries(document.tools)) {
    const tool = typeof undo === "object" ? undo.tool : undo;
    if (tool !== undefined && !Object.hasOwn(document.tools, tool)) {
      const near = nearestName(tool, Object.keys(document.tools));
      const advice = near === undefined ? "list it in `tools`" : `did you mean \`${near}\`?`;
      report(["tools", key, "undo"], `unknown tool \`${tool}\`, ${advice}`, [["tools", tool]]);
    }
    for (const [name, template] of Object.entries(typeof undo === "object" ? (undo.arguments ?? {}) : {})) {
      const fault = templateFault(template);
      if (fault !== undefined) report(["tools", key, "undo", "arguments", name], fault);
    }
    if (typeof undo === "object") checkManaged(document, undo, ["tools", key, "undo"], report);
  }
}

/** What Toolgate itself runs takes what it declares and no more: an undo that does not fit would undo nothing. */
function checkManaged(
  { tools }: PolicyDocument,
  undo: { readonly tool: string; readonly arguments?: Readonly<Record<string, string>> | undefined },
  path: IssuePath,
  report: Report,
): void {
  const settings = Object.hasOwn(tools, undo.tool) ? tools[undo.tool] : undefined;
  const schema = settings?.run && parametersOf(undo.tool, settings);
  if (!schema || !undo.arguments) return;
  const reads = [
    ["tools", undo.tool, "run"],
    ["tools", undo.tool, "parameters"],
    [...path, "arguments"],
  ];
  for (const name of Object.keys(undo.arguments)) {
    if (Object.hasOwn(systemOf(settings), name))
      report([...path, "arguments", name], "is set by the gateway itself, leave it out", reads);
    else if (!declares(schema, [name]) && schema.additionalProperties === false)
      report([...path, "arguments", name], `\`${undo.tool}\` has no argument \`${name}\``, reads);
  }
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(undo.arguments, String(name)))
      report([...path, "arguments"], `\`${undo.tool}\` needs \`${name}\`, which is missing`, reads);
  }
}

/** Arguments that the undoing tool does not have, as far as the policy itself gives its parameters. */
export function warnUndo(document: PolicyDocument, warn: Warn): void {
  for (const [key, { undo }] of Object.entries(document.tools)) {
    if (typeof undo !== "object") continue;
    const properties = valueAt(document.tools, [undo.tool, "parameters", "properties"]);
    if (typeof properties !== "object" || properties === null) continue;
    for (const name of Object.keys(undo.arguments ?? {})) {
      if (Object.hasOwn(properties, name)) continue;
      // An error already.
      if (
        document.tools[undo.tool]?.run &&
        valueAt(document.tools, [undo.tool, "parameters", "additionalProperties"]) === false
      )
        continue;
      warn(
        "undo_argument_unknown",
        ["tools", key, "undo", "arguments", name],
        `\`${undo.tool}\` has no argument \`${name}\`, check its spelling`,
      );
    }
  }
}
