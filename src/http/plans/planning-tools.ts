/** The tools that a plan may be made of: those that the user could use now, of what the client brings and what Toolgate runs. */
import type { Deps } from "../../deps.ts";
import type { Detection } from "../../intent/detection.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type PlanTools, planToolsOf } from "../../plan/plan-tool.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type UsableTool, usableTools } from "../../policy/usable-tools.ts";
import { joinTools } from "../../turn/open/join-tools.ts";
import { badRequest, type Problem } from "../problem.ts";
import { linkedNow } from "../user/linked-now.ts";
import type { PlanAsked } from "./plan-asked.ts";
import type { PlanWorld } from "./plan-world.ts";

export interface ToolsWanted {
  readonly asked: PlanAsked;
  readonly mode: string | undefined;
  /** For a layer of detection that asks a model. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function planningTools(
  deps: Deps,
  { principal, policy, managed, work }: PlanWorld,
  { asked, mode = "default", headers, signal }: ToolsWanted,
): Promise<Result<{ readonly tools: PlanTools; readonly connections: readonly string[] }, Problem>> {
  const { handshake } = policy;
  if (handshake.select !== "off" && asked.tools.some(({ name }) => name === handshake.tool)) {
    const message = `\`${handshake.tool}\` is the gateway's own tool: give yours another name`;
    return err(badRequest("tools", message, "reserved_tool_name"));
  }
  const asking = { model: asked.model === "" ? undefined : asked.model, headers };
  const [linked, detection] = await Promise.all([
    linkedNow(principal, deps),
    deps.detector.detect(policy, asked.input, signal, asking),
  ]);
  if (!linked.ok) return linked;
  const connections = [...new Set([...principal.connections, ...linked.value.map(({ provider }) => provider)])];
  const { all, changed } = joinTools(asked.tools, managed);
  const changedDefinitions = new Set([...changed, ...managed.changed]);
  const now = deps.now();
  const { usable } = usableTools(
    policy,
    { principal: { ...principal, connections }, modes: [mode], now, changedDefinitions, noForcedTool: true, work },
    all,
  );
  return ok({ tools: planToolsOf(narrowed(policy, usable, detection)), connections });
}

/** Where the user's words surely ask for something, what belongs to it: the rest would be refused when the plan runs. */
function narrowed(
  policy: CompiledPolicy,
  usable: readonly UsableTool[],
  { intents }: Detection,
): readonly UsableTool[] {
  const { selectAt } = policy.handshake;
  const sure = intents.filter(
    ({ name, confidence, layer }) => layer !== "fallback" && confidence >= selectAt && policy.intents.has(name),
  );
  if (sure.length === 0) return usable;
  return usable.filter(({ intents: permitting }) => !permitting || sure.some(({ name }) => permitting.includes(name)));
}
