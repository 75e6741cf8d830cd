/** What the policy says of the tools that Toolgate runs itself must fit together. Pure. */

import { nearestName } from "../../../lib/text/nearest-name.ts";
import { systemOf } from "../../arguments/system-arguments.ts";
import { parseSelector } from "../../selectors.ts";
import type { ToolSettings } from "../document-parts.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { ANY, type IssuePath, type ReadPath, type Report } from "../policy-issue.ts";
import { type BuiltinRun, builtinNames, type HttpRun, type RunSettings } from "../run-parts.ts";
import { parametersOf } from "./declared.ts";
import { checkMcpNames, offeredName } from "./mcp-names.ts";
import { checkReach } from "./reach-checks.ts";
import { checkSystem } from "./system-checks.ts";
import { checkTemplate, type Standing } from "./template-checks.ts";

/** What every provider takes. */
const MAX_NAME = 64;

export function checkRuns(document: PolicyDocument, report: Report): void {
  for (const [name, settings] of Object.entries(document.tools)) {
    const { run } = settings;
    if (!run || !isName(name)) continue;
    const path = ["tools", name, "run"];
    if (!/^[a-zA-Z0-9_-]+$/.test(name) || name.length > MAX_NAME)
      report(
        ["tools", name],
        `a tool that Toolgate runs is called by 1 to ${MAX_NAME} letters, digits, \`_\` or \`-\``,
      );
    checkSystem(settings, path, report);
    const standing = standingOf(document, name, settings);
    if (run.kind === "http") checkHttp(run, standing, path, report);
    else if (run.kind === "builtin") checkBuiltin(name, run, standing, path, report);
    else if (!Object.hasOwn(document.mcpServers, run.server))
      report([...path, "server"], unknownServer(document, run.server), [["mcpServers", run.server]]);
    if (Object.values(systemOf(settings)).includes("connection.token") && !isConnected(document, settings, run))
      report(
        [...path, "system"],
        "`connection.token` needs a `connection`: say whose token it is",
        connectionReads(run),
      );
  }
  checkServers(document, report);
  checkMcpNames(document, report);
}

function unknownServer({ mcpServers }: PolicyDocument, server: string): string {
  const near = nearestName(server, Object.keys(mcpServers));
  return `unknown server \`${server}\`, ${near === undefined ? "add it to `mcpServers`" : `did you mean \`${near}\`?`}`;
}

const isName = (key: string): boolean => {
  const selector = parseSelector(key);
  return !selector.ok || selector.value.kind === "name";
};

const standingOf = (document: PolicyDocument, name: string, settings: ToolSettings): Omit<Standing, "place"> => ({
  parameters: parametersOf(name, settings),
  system: systemOf(settings),
  connected: isConnected(document, settings, settings.run),
  reads: {
    arguments: [
      ["tools", name, "parameters"],
      ["tools", name, "run", "system"],
      ["tools", name, "run", "tool"],
    ],
    connection: connectionReads(settings.run),
  },
});

/** Groups may name the provider. */
const connectionReads = (run: RunSettings | undefined): readonly ReadPath[] => [
  ["tools", ANY, "connection"],
  ...(run?.kind === "mcp" ? [["mcpServers", run.server, "connection"]] : []),
];

/** A group may name the provider too: which groups a tool is in is told where it is compiled. */
function isConnected(document: PolicyDocument, settings: ToolSettings, run: RunSettings | undefined): boolean {
  if (settings.connection !== undefined) return true;
  if (run?.kind === "mcp" && Object.hasOwn(document.mcpServers, run.server))
    if (document.mcpServers[run.server]?.connection !== undefined) return true;
  return Object.entries(document.tools).some(([key, { connection }]) => connection !== undefined && !isName(key));
}

function checkHttp(run: HttpRun, standing: Omit<Standing, "place">, path: IssuePath, report: Report): void {
  checkReach(run, standing, path, report);
  for (const [name, text] of Object.entries(run.query ?? {}))
    checkTemplate(text, { ...standing, place: "url" }, [...path, "query", name], report);
  checkBody(run.body, { ...standing, place: "body" }, [...path, "body"], report);
  if (run.method === "GET") {
    const reads = [[...path, "method"]];
    if (run.body !== undefined) report([...path, "body"], "is not sent with GET, use `query` or another method", reads);
    if (run.form) report([...path, "form"], "is for a body, which GET has none of", reads);
  }
  const { body } = run;
  if (run.form && body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body)))
    report([...path, "body"], "a form must be an object", [[...path, "form"]]);
  const sendsRest =
    run.query === undefined && (run.method === "GET" || (run.method === "DELETE" && body === undefined));
  for (const [name, value] of Object.entries(run.system)) {
    if (sendsRest && value === "connection.token")
      report(
        [...path, "system", name],
        "the user's token would stand in the URL: send it in `headers`, or give a `query`",
        ["method", "query", "body"].map((member) => [...path, member]),
      );
  }
}

function checkBody(value: unknown, standing: Standing, path: IssuePath, report: Report): void {
  if (typeof value === "string") checkTemplate(value, standing, path, report);
  else if (typeof value === "object" && value !== null)
    for (const [key, part] of Object.entries(value)) checkBody(part, standing, [...path, key], report);
}

function checkBuiltin(
  name: string,
  run: BuiltinRun,
  standing: Omit<Standing, "place">,
  path: IssuePath,
  report: Report,
): void {
  const tool = run.tool ?? name;
  const { url } = run;
  const reads = [[...path, "tool"]];
  if (!builtinNames.some((one) => one === tool))
    report(path, `Toolgate has no tool \`${tool}\`, name one in \`tool\`: ${builtinNames.join(", ")}`, reads);
  else if (tool !== "gnorm_annotate") {
    const { headers, allowHosts, allowPrivate } = run;
    const set = {
      url,
      headers: Object.keys(headers).length > 0 || undefined,
      allowHosts,
      allowPrivate: allowPrivate || undefined,
    };
    for (const [setting, value] of Object.entries(set))
      if (value !== undefined)
        report(
          [...path, setting],
          "is for `gnorm_annotate` alone: no other tool of Toolgate's own reaches a server",
          reads,
        );
  } else if (url === undefined) report([...path, "url"], "is missing: that of the annotation service", reads);
  else checkReach({ ...run, url }, standing, path, report);
}

function checkServers({ mcpServers }: PolicyDocument, report: Report): void {
  for (const [name, server] of Object.entries(mcpServers)) {
    const path = ["mcpServers", name];
    const reads = { arguments: [], connection: [[...path, "connection"]] };
    checkReach(server, { system: {}, connected: server.connection !== undefined, reads }, path, report);
    for (const [index, tool] of server.tools.entries()) {
      const offered = offeredName(name, tool);
      if (!tool.includes("*") && offered.length > MAX_NAME)
        report(
          [...path, "tools", index],
          `\`${offered}\` is longer than ${MAX_NAME} characters: give it a \`run\` in \`tools\``,
        );
    }
  }
}
