/** A tool's `undo` names a tool of the policy, and arguments that this tool takes. Pure. */
import { memberOf } from "../../../lib/json/json-value.ts";
import { systemOf } from "../../arguments/system-arguments.ts";
import { templateFault } from "../../arguments/undo-arguments.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Check, Finding, WarningCheck, WarningFinding } from "../policy-issue.ts";
import { declares, parametersOf } from "./declared-arguments.ts";
import { unknownName } from "./name-checks.ts";

export const checkUndo: Check = (document) =>
  Object.entries(document.tools).flatMap(([key, { undo: setting }]): Finding[] => {
    if (setting === undefined) return [];
    const undo = typeof setting === "object" ? setting : { tool: setting };
    const path = ["tools", key, "undo"];
    const known = Object.keys(document.tools);
    return [
      [
        path,
        !known.includes(undo.tool) && unknownName("tool", undo.tool, known, "list it in `tools`"),
        [["tools", undo.tool]],
      ],
      ...Object.entries(undo.arguments ?? {}).map(([name, template]): Finding => {
        return [[...path, "arguments", name], templateFault(template)];
      }),
      ...managedFindings(document, undo, path),
    ];
  });

type Undo = { readonly tool: string; readonly arguments?: Readonly<Record<string, string>> | undefined };

/** A managed tool takes what it declares and no more: an undo that does not fit would undo nothing. */
function managedFindings({ tools }: PolicyDocument, undo: Undo, path: readonly string[]): Finding[] {
  const { tool, arguments: given } = undo;
  const settings = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const schema = settings?.run && parametersOf(tool, settings);
  if (!schema || !given) return [];
  const at = [...path, "arguments"];
  const reads = [["tools", tool, "run"], ["tools", tool, "parameters"], at];
  const isUnknown = (name: string) => !declares(schema, [name]) && schema.additionalProperties === false;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return [
    ...Object.keys(given).map((name): Finding => {
      if (Object.hasOwn(systemOf(settings), name)) return [[...at, name], "the gateway sets it, leave it out", reads];
      return [[...at, name], isUnknown(name) && `\`${tool}\` has no argument \`${name}\``, reads];
    }),
    ...required.map(String).map((name): Finding => {
      return [at, !Object.hasOwn(given, name) && `\`${tool}\` requires \`${name}\`, which is missing`, reads];
    }),
  ];
}

/** Arguments that the undoing tool does not have, where the policy itself gives its parameters. */
export const warnUndo: WarningCheck = ({ tools }) =>
  Object.entries(tools).flatMap(([key, { undo }]): WarningFinding[] => {
    if (typeof undo !== "object") return [];
    const { run, parameters } = (Object.hasOwn(tools, undo.tool) && tools[undo.tool]) || {};
    const properties = memberOf(parameters, "properties");
    // An error already.
    const isClosed = run && memberOf(parameters, "additionalProperties") === false;
    if (typeof properties !== "object" || properties === null || isClosed) return [];
    return Object.keys(undo.arguments ?? {}).map((name): WarningFinding => {
      const text =
        !Object.hasOwn(properties, name) && `\`${undo.tool}\` has no argument \`${name}\`, check its spelling`;
      return ["undo_argument_unknown", ["tools", key, "undo", "arguments", name], text];
    });
  });
