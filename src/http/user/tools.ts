/**
 * `GET /v1/tools`: what the asker could use, of what Toolgate runs and of what the policy defines for clients, with what each
 * would ask for. Operators are told besides what is withheld, and why. It counts nothing.
 */

import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { ok } from "../../lib/result.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { quote, textForClient } from "../../policy/reason-texts.ts";
import {
  clientDefinitions,
  couldUse,
  type UsableTool,
  type UsableToolsRequest,
  usableTools,
} from "../../policy/usable-tools.ts";
import type { Connection } from "../../ports/connections-port.ts";
import { type TokenNeed, tokenNeed } from "../../tools/credentials.ts";
import { mcpToolView, type ToolToView, toolView } from "../../tools/tool-view.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadServedPolicy } from "../load-policy.ts";
import { namePolicy } from "../policy-header.ts";
import { readToolsAsked, whoseTools } from "./tools-asked.ts";

export async function listTools(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const asked = readToolsAsked(c.req, c.var.principal);
  if (!asked.ok) return asked;
  const { tenant, format, operator } = asked.value;
  const served = await loadServedPolicy(deps, tenant);
  if (!served.ok) return served;
  const whose = await whoseTools(asked.value, served.value.policy, deps);
  if (!whose.ok) return whose;
  const { principal, modes, linked } = whose.value;
  const managed = await deps.tools.managed(served.value.policy, principal);
  const { policy } = managed;
  const request: UsableToolsRequest = {
    principal,
    modes,
    now: deps.now(),
    changedDefinitions: managed.changed,
    work: workBudget(),
  };
  const definitions = [...managed.definitions, ...clientDefinitions(policy, managed.names)];
  const { usable, withheld } = usableTools(policy, request, definitions);
  const tools = usable.map((tool) => viewed(tool, policy, request, { managed: managed.names, linked }));
  const known = new Set(definitions.map(({ name }) => name));
  const body = (): object => {
    const offered = tools.filter(({ missing }) => missing.length === 0);
    if (format === "openai") return offered.map(({ definition }) => definition.wire);
    if (format === "mcp") return { tools: offered.map((tool) => mcpToolView(policy, tool)) };
    const told = withheld.map(({ name, reasons }) => ({
      name,
      reasons: reasons.map((reason) => ({ code: reason.code, message: textForClient(reason) })),
    }));
    const data = tools.map((tool) => toolView(policy, tool));
    return { ...listBody(data), withheld: operator ? [...told, ...absent(policy, known)] : undefined };
  };
  return ok(namePolicy(Response.json(body()), served.value));
}

/** What undoes a tool is told by name, so it must be one that the asker may know of. */
function viewed(
  tool: UsableTool,
  policy: CompiledPolicy,
  request: UsableToolsRequest,
  { managed, linked }: { readonly managed: ReadonlySet<string>; readonly linked: readonly Connection[] },
): ToolToView {
  const { name, undo } = tool.traits;
  const isTold = undo !== undefined && couldUse(policy, request, undo.tool);
  const need = managed.has(name) ? tokenNeed(policy, name) : undefined;
  const withoutToken = need && !linked.some((one) => mayGo(one, need)) ? need.provider : undefined;
  return { ...tool, managed: managed.has(name), undo: isTold ? undo.tool : undefined, withoutToken };
}

const mayGo = ({ provider, hasToken, hosts }: Connection, need: TokenNeed): boolean =>
  provider === need.provider && hasToken && hosts.includes(need.host);

/** Tools that the gateway would run, had it what runs them. */
const absent = ({ tools }: CompiledPolicy, known: ReadonlySet<string>) =>
  [...tools].flatMap(([name, { run }]) => {
    if (!run || known.has(name)) return [];
    const why =
      run.kind === "mcp"
        ? `the MCP server ${quote(run.server)} offers no tool of this name, or could not be asked`
        : "this deployment has nothing that runs it";
    return [{ name, reasons: [{ code: "not_available", message: `${quote(name)} cannot be run: ${why}` }] }];
  });
