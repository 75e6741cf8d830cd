/** Checks a tool's `undo`: it must name a tool of the policy, and arguments that this tool takes. Pure. */
import { memberOf } from "../../../lib/json/json-value.ts";
import { systemOf } from "../../arguments/system-arguments.ts";
import { templateFault } from "../../arguments/undo-arguments.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Findings, IssuePath, Warnings } from "../policy-issue.ts";
import { declares, parametersOf } from "./declared-arguments.ts";
import { unknownName } from "./name-checks.ts";

export function* checkUndo(document: PolicyDocument): Findings {
  const known = Object.keys(document.tools);
  for (const [key, { undo: setting }] of Object.entries(document.tools)) {
    if (setting === undefined) continue;
    const undo = typeof setting === "object" ? setting : { tool: setting };
    const path = ["tools", key, "undo"];
    const fault = !known.includes(undo.tool) && unknownName("tool", undo.tool, known, "list it in `tools`");
    yield [path, fault, [["tools", undo.tool]]];
    for (const [name, template] of Object.entries(undo.arguments ?? {}))
      yield [[...path, "arguments", name], templateFault(template)];
    if (undo.arguments) yield* checkArguments(document, undo.tool, undo.arguments, [...path, "arguments"]);
  }
}

/** A managed tool takes what it declares and no more: an undo that does not fit would undo nothing. */
function* checkArguments({ tools }: PolicyDocument, tool: string, given: object, path: IssuePath): Findings {
  const settings = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const schema = settings?.run && parametersOf(tool, settings);
  if (!schema) return;
  const reads = [["tools", tool, "run"], ["tools", tool, "parameters"], path];
  for (const name of Object.keys(given)) {
    const isUnknown = !declares(schema, [name]) && schema.additionalProperties === false;
    const fault = isUnknown && `\`${tool}\` has no argument \`${name}\``;
    yield [
      [...path, name],
      Object.hasOwn(systemOf(settings), name) ? "the gateway sets it, leave it out" : fault,
      reads,
    ];
  }
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required.map(String))
    yield [path, !Object.hasOwn(given, name) && `\`${tool}\` requires \`${name}\`, which is missing`, reads];
}

/** Arguments that the undoing tool does not have, if the policy itself gives its parameters. */
export function* warnUndo({ tools }: PolicyDocument): Warnings {
  for (const [key, { undo }] of Object.entries(tools)) {
    if (typeof undo !== "object") continue;
    const { run, parameters } = (Object.hasOwn(tools, undo.tool) && tools[undo.tool]) || {};
    const properties = memberOf(parameters, "properties");
    // An error already.
    const isClosed = run && memberOf(parameters, "additionalProperties") === false;
    if (typeof properties !== "object" || properties === null || isClosed) continue;
    for (const name of Object.keys(undo.arguments ?? {})) {
      const text =
        !Object.hasOwn(properties, name) && `\`${undo.tool}\` has no argument \`${name}\`, check its spelling`;
      yield ["undo_argument_unknown", ["tools", key, "undo", "arguments", name], text];
    }
  }
}
