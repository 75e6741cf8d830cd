/** Checks of the tools that Toolgate runs itself, and of the MCP servers that it asks for tools. Pure. */
import { isObject } from "../../../lib/json/json-value.ts";
import { systemOf } from "../../arguments/system-arguments.ts";
import { mcpToolName } from "../../mcp-tools.ts";
import { selectorKind } from "../../selectors.ts";
import type { ToolSettings } from "../document-parts.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { ANY, type Check, type Finding, type IssuePath, type ReadPath } from "../policy-issue.ts";
import { type BuiltinRun, builtinNames, type HttpRun, type RunSettings } from "../run-parts.ts";
import { parametersOf, requiredBelow } from "./declared-arguments.ts";
import { unknownName } from "./name-checks.ts";
import { reachFindings, type TemplateContext, templateFindings } from "./reach-checks.ts";

/** Every provider accepts names of this length. */
const MAX_NAME = 64;

export const checkRuns: Check = (document) =>
  Object.entries(document.tools).flatMap(([name, settings]): Finding[] => {
    const { run } = settings;
    if (!run || !isToolName(name)) return [];
    const path = ["tools", name, "run"];
    const connected = isConnected(document, settings);
    const sendsToken = Object.values(systemOf(settings)).includes("connection.token");
    const nameFault = `the name of a tool that Toolgate runs has 1 to ${MAX_NAME} letters, digits, \`_\` or \`-\``;
    return [
      [["tools", name], !(/^[a-zA-Z0-9_-]+$/.test(name) && name.length <= MAX_NAME) && nameFault],
      ...systemFindings(settings, path),
      ...kindFindings(document, name, run, contextOf(document, name, settings), path),
      [
        [...path, "system"],
        sendsToken && !connected && "`connection.token` needs a `connection` that names the provider",
        connectionReads(run),
      ],
    ];
  });

/** A key that is not a readable selector may be a misspelt name. */
const isToolName = (key: string): boolean => ["name", undefined].includes(selectorKind(key));

function kindFindings(
  { mcpServers }: PolicyDocument,
  name: string,
  run: RunSettings,
  context: TemplateContext,
  path: IssuePath,
): Finding[] {
  if (run.kind === "http") return httpFindings(run, context, path);
  if (run.kind === "builtin") return builtinFindings(name, run, context, path);
  const known = Object.keys(mcpServers);
  const fault = !known.includes(run.server) && unknownName("server", run.server, known, "add it to `mcpServers`");
  return [[[...path, "server"], fault, [["mcpServers", run.server]]]];
}

const contextOf = (document: PolicyDocument, name: string, settings: ToolSettings): TemplateContext => ({
  parameters: parametersOf(name, settings),
  system: systemOf(settings),
  connected: isConnected(document, settings),
  reads: {
    arguments: [["parameters"], ["run", "system"], ["run", "tool"]].map((step) => ["tools", name, ...step]),
    connection: connectionReads(settings.run),
  },
});

/** The connection may also be set on a group. */
const connectionReads = (run: RunSettings | undefined): readonly ReadPath[] => [
  ["tools", ANY, "connection"],
  ...(run?.kind === "mcp" ? [["mcpServers", run.server, "connection"]] : []),
];

/** Any group counts: which tools a group holds is known only once the policy is compiled. */
function isConnected({ tools, mcpServers }: PolicyDocument, { connection, run }: ToolSettings): boolean {
  const server = run?.kind === "mcp" && Object.hasOwn(mcpServers, run.server) ? mcpServers[run.server] : undefined;
  const groups = Object.entries(tools).filter(([key]) => !isToolName(key));
  return [connection, server?.connection, ...groups.map(([, group]) => group.connection)].some(
    (one) => one !== undefined,
  );
}

/** Members that the gateway sets are removed from `parameters` at the top only: deeper the schema would require them of the model. */
function systemFindings(settings: ToolSettings, path: readonly string[]): Finding[] {
  const set = new Set(Object.keys(systemOf(settings)));
  if (settings.parameters === undefined || set.size === 0) return [];
  return [...requiredBelow(settings.parameters)]
    .filter(({ name }) => set.has(name))
    .map(({ name, path: place }): Finding => {
      const fault = `the gateway sets it, but \`parameters\` require it of the model (${place})`;
      return [[...path, "system", name], fault, [[...path.slice(0, -1), "parameters"]]];
    });
}

function httpFindings(run: HttpRun, context: TemplateContext, path: IssuePath): Finding[] {
  const { method, query, body, form, system } = run;
  const at = (member: string) => [...path, member];
  const isGet = method === "GET";
  const urlHoldsAll = query === undefined && (isGet || (method === "DELETE" && body === undefined));
  const tokenFault = "the URL would hold the user's token: send it in `headers`, or give a `query`";
  return [
    ...reachFindings(run, context, path),
    ...Object.entries(query ?? {}).flatMap(([name, text]) =>
      templateFindings(text, "url", context, [...path, "query", name]),
    ),
    ...bodyFindings(body, context, at("body")),
    [at("body"), isGet && body !== undefined && "GET sends no body, use `query` or another method", [at("method")]],
    [at("form"), isGet && form && "applies to a body, which GET does not send", [at("method")]],
    [at("body"), form && body !== undefined && !isObject(body) && "a form must be an object", [at("form")]],
    ...Object.entries(system).map(([name, value]): Finding => {
      const reads = ["method", "query", "body"].map(at);
      return [[...path, "system", name], urlHoldsAll && value === "connection.token" && tokenFault, reads];
    }),
  ];
}

function bodyFindings(value: unknown, context: TemplateContext, path: IssuePath): Finding[] {
  if (typeof value === "string") return templateFindings(value, "body", context, path);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => bodyFindings(part, context, [...path, key]));
}

function builtinFindings(name: string, run: BuiltinRun, context: TemplateContext, path: IssuePath): Finding[] {
  const { tool = name, url, headers, allowHosts, allowPrivate } = run;
  const reads = [[...path, "tool"]];
  if (!builtinNames.some((one) => one === tool))
    return [[path, `Toolgate has no tool \`${tool}\`, name one in \`tool\`: ${builtinNames.join(", ")}`, reads]];
  if (tool === "gnorm_annotate") {
    if (url === undefined) return [[[...path, "url"], "is missing: give that of the annotation service", reads]];
    return reachFindings({ ...run, url }, context, path);
  }
  const given = { url, headers: Object.keys(headers).length > 0, allowHosts, allowPrivate };
  const fault = "applies to `gnorm_annotate` only: no other built-in tool reaches a server";
  return Object.entries(given).map(([setting, value]): Finding => [[...path, setting], value && fault, reads]);
}

export const checkServers: Check = ({ mcpServers }) =>
  Object.entries(mcpServers).flatMap(([name, server]): Finding[] => {
    const path = ["mcpServers", name];
    const reads = { arguments: [], connection: [[...path, "connection"]] };
    return [
      ...reachFindings(server, { system: {}, connected: server.connection !== undefined, reads }, path),
      ...server.tools.map((tool, index): Finding => {
        const offered = mcpToolName(name, tool);
        const isTooLong = !tool.includes("*") && offered.length > MAX_NAME;
        const fault = `\`${offered}\` is longer than ${MAX_NAME} characters: give the tool a \`run\` in \`tools\``;
        return [[...path, "tools", index], isTooLong && fault];
      }),
    ];
  });

/** One tool has one name: otherwise one name could permit what the other forbids. */
export const checkMcpTools: Check = ({ tools }) => {
  const names = new Map<string, string>();
  return Object.entries(tools).flatMap(([name, { run }]): Finding[] => {
    if (run?.kind !== "mcp") return [];
    const { server, tool = name } = run;
    const target = JSON.stringify([server, tool]);
    const other = names.get(target) ?? name;
    names.set(target, other);
    const offered = mcpToolName(server, tool);
    const isSetTwice = offered !== name && Object.hasOwn(tools, offered) && !tools[offered]?.run;
    const reads = (one: string) => [one, name].map((key) => ["tools", key, "run"]);
    return [
      [["tools", name, "run"], other !== name && `\`${other}\` already runs this tool of \`${server}\``, reads(other)],
      [
        ["tools", offered],
        isSetTwice && `the policy calls this tool \`${name}\`: set it under that name`,
        reads(offered),
      ],
    ];
  });
};
