/** Checks of the tools that Toolgate runs itself, and of the MCP servers that it asks for tools. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";
import { systemOf } from "../../arguments/system-arguments.ts";
import { mcpToolName } from "../../mcp-tools.ts";
import { selectorKind } from "../../selectors.ts";
import type { ToolSettings } from "../document-parts.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { ANY, type Findings, type IssuePath } from "../policy-issue.ts";
import { type BuiltinRun, builtinNames, type HttpRun } from "../run-parts.ts";
import { parametersOf, requiredBelow } from "./declared-arguments.ts";
import { unknownName } from "./name-checks.ts";
import { checkReach, checkTemplate, type TemplateContext } from "./reach-checks.ts";

/** Every provider accepts names of this length. */
const MAX_NAME = 64;

export function* checkRuns(document: PolicyDocument): Findings {
  for (const [name, settings] of Object.entries(document.tools)) {
    const { run } = settings;
    if (!run || !isToolName(name)) continue;
    const path = ["tools", name, "run"];
    const context = contextOf(document, name, settings);
    const isLegal = /^[a-zA-Z0-9_-]+$/.test(name) && name.length <= MAX_NAME;
    const rule = `the name of a tool that Toolgate runs has 1 to ${MAX_NAME} letters, digits, \`_\` or \`-\``;
    yield [["tools", name], !isLegal && rule];
    yield* checkSystem(settings, context, path);
    if (run.kind === "http") yield* checkHttp(run, context, path);
    else if (run.kind === "builtin") yield* checkBuiltin(name, run, context, path);
    else {
      const known = Object.keys(document.mcpServers);
      const fault = !known.includes(run.server) && unknownName("server", run.server, known, "add it to `mcpServers`");
      yield [[...path, "server"], fault, [["mcpServers", run.server]]];
    }
  }
}

/** A key that is not a readable selector may be a misspelt name. */
const isToolName = (key: string): boolean => ["name", undefined].includes(selectorKind(key));

const contextOf = (document: PolicyDocument, name: string, settings: ToolSettings): TemplateContext => ({
  parameters: parametersOf(name, settings),
  system: systemOf(settings),
  connected: isConnected(document, settings),
  reads: {
    arguments: [["parameters"], ["run", "system"], ["run", "tool"]].map((step) => ["tools", name, ...step]),
    // The connection may also be set on a group.
    connection: [
      ["tools", ANY, "connection"],
      ...(settings.run?.kind === "mcp" ? [["mcpServers", settings.run.server, "connection"]] : []),
    ],
  },
});

/** Any group counts: which tools a group holds is known only once the policy is compiled. */
function isConnected({ tools, mcpServers }: PolicyDocument, { connection, run }: ToolSettings): boolean {
  const server = run?.kind === "mcp" && Object.hasOwn(mcpServers, run.server) ? mcpServers[run.server] : undefined;
  const groups = Object.entries(tools).filter(([key]) => !isToolName(key));
  return [connection, server?.connection, ...groups.map(([, group]) => group.connection)].some(
    (one) => one !== undefined,
  );
}

/** Members that the gateway sets are removed from `parameters` only at the top: deeper ones would still be required of the model. */
function* checkSystem(
  settings: ToolSettings,
  { connected, reads }: TemplateContext,
  path: readonly string[],
): Findings {
  const system = systemOf(settings);
  const sendsToken = Object.values(system).includes("connection.token");
  const noProvider = "`connection.token` needs a `connection` that names the provider";
  yield [[...path, "system"], sendsToken && !connected && noProvider, reads.connection];
  for (const { name, path: place } of requiredBelow(settings.parameters ?? {})) {
    const fault = `the gateway sets it, but \`parameters\` require it of the model (${place})`;
    yield [[...path, "system", name], Object.hasOwn(system, name) && fault, [[...path.slice(0, -1), "parameters"]]];
  }
}

function* checkHttp(run: HttpRun, context: TemplateContext, path: IssuePath): Findings {
  const { method, query, body, form, system } = run;
  const at = (member: string) => [...path, member];
  const isGet = method === "GET";
  yield* checkReach(run, context, path);
  for (const [name, text] of Object.entries(query ?? {}))
    yield* checkTemplate(text, "url", context, [...path, "query", name]);
  yield* checkBody(body, context, at("body"));
  yield [at("body"), isGet && body !== undefined && "GET sends no body, use `query` or another method", [at("method")]];
  yield [at("form"), isGet && form && "applies to a body, which GET does not send", [at("method")]];
  yield [at("body"), form && body !== undefined && !isObject(body) && "a form must be an object", [at("form")]];
  const urlHoldsAll = query === undefined && (isGet || (method === "DELETE" && body === undefined));
  for (const [name, value] of Object.entries(system)) {
    const fault = "the URL would hold the user's token: send it in `headers`, or give a `query`";
    const reads = ["method", "query", "body"].map(at);
    yield [[...path, "system", name], urlHoldsAll && value === "connection.token" && fault, reads];
  }
}

function* checkBody(value: unknown, context: TemplateContext, path: IssuePath): Findings {
  if (typeof value === "string") yield* checkTemplate(value, "body", context, path);
  else if (typeof value === "object" && value !== null)
    for (const [key, part] of Object.entries(value)) yield* checkBody(part, context, [...path, key]);
}

function* checkBuiltin(name: string, run: BuiltinRun, context: TemplateContext, path: IssuePath): Findings {
  const { tool = name, url, headers, allowHosts, allowPrivate } = run;
  const reads = [[...path, "tool"]];
  if (!builtinNames.some((one) => one === tool))
    yield [path, `Toolgate has no tool \`${tool}\`, name one in \`tool\`: ${builtinNames.join(", ")}`, reads];
  else if (tool !== "gnorm_annotate") {
    const given = { url, headers: Object.keys(headers).length > 0, allowHosts, allowPrivate };
    const fault = "applies to `gnorm_annotate` only: no other built-in tool reaches a server";
    for (const [setting, value] of Object.entries(given)) yield [[...path, setting], value && fault, reads];
  } else if (url === undefined) yield [[...path, "url"], "is missing: give that of the annotation service", reads];
  else yield* checkReach({ ...run, url }, context, path);
}

export function* checkServers({ mcpServers }: PolicyDocument): Findings {
  for (const [name, server] of Object.entries(mcpServers)) {
    const path = ["mcpServers", name];
    const reads = { arguments: [], connection: [[...path, "connection"]] };
    yield* checkReach(server, { system: {}, connected: server.connection !== undefined, reads }, path);
    for (const [index, tool] of server.tools.entries()) {
      const offered = mcpToolName(name, tool);
      const isTooLong = !tool.includes("*") && offered.length > MAX_NAME;
      const fault = `\`${offered}\` is longer than ${MAX_NAME} characters: give the tool a \`run\` in \`tools\``;
      yield [[...path, "tools", index], isTooLong && fault];
    }
  }
}

/** One tool has one name: otherwise one name could permit what the other forbids. */
export function* checkMcpTools({ tools }: PolicyDocument): Findings {
  const names = new Map<string, string>();
  for (const [name, { run }] of Object.entries(tools)) {
    if (run?.kind !== "mcp") continue;
    const { server, tool = name } = run;
    const target = JSON.stringify([server, tool]);
    const other = names.get(target) ?? name;
    names.set(target, other);
    const reads = (one: string) => [one, name].map((key) => ["tools", key, "run"]);
    yield [
      ["tools", name, "run"],
      other !== name && `\`${other}\` already runs this tool of \`${server}\``,
      reads(other),
    ];
    const offered = mcpToolName(server, tool);
    const isSetTwice = offered !== name && Object.hasOwn(tools, offered) && !tools[offered]?.run;
    const fault = `the policy calls this tool \`${name}\`: set it under that name`;
    yield [["tools", offered], isSetTwice && fault, reads(offered)];
  }
}
