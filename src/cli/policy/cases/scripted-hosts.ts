/** Replaces every host that managed tools reach, and answers each case from its script. */
import { text } from "node:stream/consumers";
import { isSameHost } from "../../../lib/host.ts";
import { startLoopback } from "../../local/loopback-server.ts";
import type { PolicyOnDisk } from "../../policy-file.ts";
import type { CaseFile, PolicyCase, ScriptedAnswer, ScriptedHosts, ScriptedServers } from "./case-schema.ts";
import { equalAsJson, expectedParts } from "./covered.ts";
import { CASE_HEADER } from "./scripted-model.ts";

interface HostScript {
  /** Each answers once. */
  readonly own: ScriptedHosts;
  /** Each answers any number of times. */
  readonly shared: ScriptedHosts;
  /** By the server's URL. */
  readonly mcp: ReadonlyMap<string, { readonly name: string; readonly server: ScriptedServers[string] }>;
}

export interface HostFault {
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

export type ScriptedHostServer = Awaited<ReturnType<typeof startScriptedHosts>>;

interface CaseState {
  readonly script: HostScript;
  readonly used: Set<ScriptedAnswer>;
  readonly faults: HostFault[];
}

interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

type HostAnswer = Pick<ScriptedAnswer, "status" | "headers" | "body">;

/** A status that no client tries again. */
const NOT_SCRIPTED: HostAnswer = { status: 418, headers: {}, body: "the case scripts no such answer" };

export async function startScriptedHosts() {
  const stages = new Map<string, CaseState>();
  const { origin, stop } = await startLoopback(async (request, response) => {
    const stage = stages.get(String(request.headers[CASE_HEADER]));
    const url = new URL(String(request.headers["x-policy-case-url"]));
    const sent = { method: request.method ?? "GET", url, headers: request.headers, body: await text(request) };
    const { status, headers, body } = stage ? answer(stage, sent) : NOT_SCRIPTED;
    const isText = typeof body === "string";
    const type = isText ? "text/plain; charset=utf-8" : "application/json";
    response.writeHead(status, body === undefined ? headers : { "content-type": type, ...headers });
    response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
  });
  return {
    url: `${origin}/`,
    /** Sets a case's script. */
    script(id: string, script: HostScript): void {
      stages.set(id, { script, used: new Set(), faults: [] });
    },
    /** Requests that no script answers, and answers that no request used. */
    faults(id: string): readonly HostFault[] {
      const stage = stages.get(id);
      return stage ? [...stage.faults, ...unusedAnswers(stage)] : [];
    },
    stop,
  };
}

function answer({ script, used, faults }: CaseState, sent: ReceivedRequest): HostAnswer {
  const spoken = script.mcp.get(sent.url.href);
  if (spoken) {
    const { fault, status, body } = answerMcp(spoken.name, spoken.server, sent.method, sent.body);
    if (fault !== undefined) faults.push({ what: "mcp", expected: "a scripted result", got: fault });
    return { status, headers: {}, body };
  }
  const fits = (one: ScriptedAnswer) => matches(one, sent);
  const found =
    answersOf(script.own, sent.url.host).find((one) => !used.has(one) && fits(one)) ??
    answersOf(script.shared, sent.url.host).find(fits);
  if (!found) {
    faults.push({ what: "hosts", expected: "a scripted answer", got: `${sent.method} ${sent.url.href}` });
    return NOT_SCRIPTED;
  }
  used.add(found);
  if (found.sent) {
    const got = expectedParts(found.sent, partsOf(sent, found.sent.body));
    if (!equalAsJson(found.sent, got))
      faults.push({ what: `hosts (sent to ${sent.url.host})`, expected: found.sent, got });
  }
  return found;
}

const answersOf = (hosts: ScriptedHosts, host: string): readonly ScriptedAnswer[] =>
  Object.entries(hosts).flatMap(([name, answers]) => (isSameHost(name, host) ? answers : []));

function matches({ method, path }: ScriptedAnswer, sent: ReceivedRequest): boolean {
  const { pathname, search } = sent.url;
  const target = path?.includes("?") ? pathname + search : pathname;
  return (method === undefined || method === sent.method) && (path === undefined || path === target);
}

function partsOf({ headers, body }: ReceivedRequest, expected: unknown): unknown {
  return { headers, body: typeof expected === "string" ? body : jsonOrText(body) };
}

function jsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function unusedAnswers({ script, used }: CaseState): HostFault[] {
  return Object.entries(script.own).flatMap(([host, answers]) =>
    answers
      .filter((one) => !used.has(one))
      .map(({ method = "any method", path = "" }) => ({
        what: "hosts",
        expected: `${method} ${host}${path}`,
        got: "never asked for",
      })),
  );
}

export function hostScript(
  { document }: PolicyOnDisk,
  { hosts, mcp }: Pick<CaseFile, "hosts" | "mcp">,
  one: Pick<PolicyCase, "hosts" | "mcp">,
): HostScript {
  const servers = Object.entries(document.mcpServers).map(([name, { url }]) => {
    const { tools = [], results = {} } = mcp[name] ?? {};
    return [
      new URL(url).href,
      { name, server: { tools, results: { ...results, ...one.mcp[name]?.results } } },
    ] as const;
  });
  return { own: one.hosts, shared: hosts, mcp: new Map(servers) };
}

/** A scripted MCP server answers each message of Streamable HTTP alone, without a session. */
interface McpAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** The answer to requests that no script covers. */
  readonly fault?: string;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

function answerMcp(name: string, server: ScriptedServers[string], method: string, body: string): McpAnswer {
  if (method !== "POST") return { status: 405 };
  const { id, method: wanted, params } = JSON.parse(body) as Message;
  if (id === undefined) return { status: 202 };
  const answer = (more: object): McpAnswer => ({ status: 200, body: { jsonrpc: "2.0", id, ...more } });
  switch (wanted) {
    case "initialize":
      return answer({
        result: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name, version: "1" },
        },
      });
    case "ping":
      return answer({ result: {} });
    case "tools/list":
      return answer({ result: { tools: server.tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool })) } });
    case "tools/call": {
      const tool = params?.name ?? "";
      if (Object.hasOwn(server.results, tool)) return answer({ result: resultOf(server.results[tool]) });
      const fault = `nothing is scripted for the tool \`${tool}\` of the MCP server \`${name}\``;
      return { ...answer({ error: { code: -32_602, message: fault } }), fault };
    }
    default:
      return answer({ error: { code: -32_601, message: "there is no such method" } });
  }
}

function resultOf(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "content" in value) return value;
  return { content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }] };
}
