/** Where system-first execution is asked for, and can never be. Pure. */
import { mayBeNamed } from "../../../intent/entities/fill-arguments.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { builtInEntities } from "../entity-parts.ts";
import type { IssuePath, Warn } from "../policy-issue.ts";
import { parametersOf } from "./declared.ts";
import { offeredName } from "./mcp-names.ts";

type Intent = PolicyDocument["intents"][string];
type Execution = PolicyDocument["execution"];

export function warnSystemFirst(document: PolicyDocument, warn: Warn): void {
  const { execution, handshake, intents } = document;
  const selects = handshake.select !== "model";
  let applies = false;
  warnWhenMissing(execution, ["execution"], warn);
  for (const [name, intent] of Object.entries(intents)) {
    if (intent.execution) warnWhenMissing(intent.execution, ["intents", name, "execution"], warn);
    if (!isTried({ ...execution, ...intent.execution })) continue;
    const obstacle = selects ? obstacleOf(document, intent) : ONLY_THE_MODEL;
    if (obstacle === undefined) applies = true;
    else if (intent.execution && isTried({ ...UNTRIED, ...intent.execution }))
      warn("system_first_never", ["intents", name, "execution"], `can never apply: ${obstacle}`);
    else if (selects && intent.primaryTool !== undefined)
      warn("system_first_never", ["intents", name, "primaryTool"], `is never called by the system first: ${obstacle}`);
  }
  if (applies || !isTried(execution)) return;
  const path = ["execution", execution.strategy === "system_first" ? "strategy" : "systemFirstShare"];
  warn(
    "system_first_never",
    path,
    `can never apply: ${selects ? "no intent has a `primaryTool` that the system could call" : ONLY_THE_MODEL}`,
  );
}

function warnWhenMissing({ whenMissing }: Pick<Execution, "whenMissing">, path: IssuePath, warn: Warn): void {
  if (whenMissing === undefined) return;
  const message = "has no effect: the model goes on where arguments are missing; remove the setting";
  warn("setting_without_effect", [...path, "whenMissing"], message);
}

const UNTRIED = { strategy: "llm_first", systemFirstShare: 0 } as const;
const ONLY_THE_MODEL = "with `handshake.select` `model` no message selects an intent by itself";

export const isTried = ({ strategy, systemFirstShare }: Pick<Execution, "strategy" | "systemFirstShare">): boolean =>
  strategy === "system_first" || systemFirstShare > 0;

/** Whether the gateway runs it, as far as the document tells: which tools a server has only the server knows. */
export function isManaged({ tools, mcpServers }: PolicyDocument, name: string): boolean {
  if (Object.hasOwn(tools, name) && tools[name]?.run !== undefined) return true;
  return Object.keys(mcpServers).some((server) => name.startsWith(offeredName(server, "")));
}

function obstacleOf(document: PolicyDocument, intent: Intent): string | undefined {
  const { primaryTool: tool } = intent;
  if (tool === undefined) return "the intent has no `primaryTool`";
  if (!isManaged(document, tool))
    return `\`${tool}\` has no \`run\` and is no MCP server's, so only the client runs it`;
  const unnamed = unnamedArgument(document, tool);
  if (unnamed === undefined) return undefined;
  return `no entity is called \`${unnamed}\`, which \`${tool}\` requires: add one`;
}

/** A required argument that no entity of the policy could ever give. */
function unnamedArgument({ tools, entities }: PolicyDocument, tool: string): string | undefined {
  const settings = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const schema = settings && parametersOf(tool, settings);
  if (!schema || !Array.isArray(schema.required)) return undefined;
  const names = [...Object.keys(entities), ...builtInEntities];
  return schema.required.find((name: unknown) => typeof name === "string" && !mayBeNamed(schema, name, names));
}
