/**
 * The study service: what the study agent's tools do, behind HTTP. It does what it is asked, as such services do, and keeps who
 * asked for what and what was wrong with it.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { type Breach, breachesOf, type StudyTool } from "./judge-call.ts";
import { type StudyUser, users } from "./requests.ts";
import { TOOL_TOKEN } from "./secrets.ts";

export interface RanCall {
  readonly user: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly breaches: readonly Breach[];
}

export interface Service {
  /** Its origin. */
  readonly url: string;
  /** How often it ran for the user. */
  ran(user: string, tool: string): number;
  /** From now on it counts under this name: hours of their own for users who are called the same. */
  count(under: string): void;
  stop(): Promise<void>;
}

/** @param hear is told of each call as it runs. */
export async function startService(
  tools: Readonly<Record<string, StudyTool>>,
  hear: (one: RanCall) => void,
): Promise<Service> {
  const counts = new Map<string, number>();
  const routes = Object.entries(tools).map(([name, { run }]) => ({
    name,
    method: run.method ?? "POST",
    path: new RegExp(`^${new URL(run.url).pathname.replace(/%7B%7Barguments\.(\w+)%7D%7D/g, "(?<$1>[^/]+)")}$`),
  }));
  let scope = "";
  const key = (user: string, tool: string) => `${scope} ${user} ${tool}`;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://study");
    const route = routes.find(({ method, path }) => method === request.method && path.test(pathname));
    const tool = route && tools[route.name];
    const signed = request.headers.authorization === `Bearer ${TOOL_TOKEN}`;
    if (!tool || !signed) {
      response.writeHead(tool ? 401 : 404).end();
      return;
    }
    const { user_id: id, ...args } = await argumentsOf(request, tool, route.path.exec(pathname)?.groups ?? {});
    const user: StudyUser = users.find(({ name }) => name === id) ?? { name: String(id), role: "guest" };
    const before = counts.get(key(user.name, route.name)) ?? 0;
    const breaches = breachesOf(tools, { user, tool: route.name, arguments: args }, before);
    counts.set(key(user.name, route.name), before + 1);
    hear({ user: user.name, tool: route.name, arguments: args, breaches });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ artifact_id: `a${before + 1}`, title: titleOf(route.name, args) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ran: (user, tool) => counts.get(key(user, tool)) ?? 0,
    count(under) {
      scope = under;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Of a query all values are texts: numbers where the schema wants them. */
async function argumentsOf(
  request: IncomingMessage,
  tool: StudyTool,
  inPath: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const query = new URL(request.url ?? "/", "http://study").searchParams;
  const body = await textOf(request);
  const properties = (tool.parameters.properties ?? {}) as Readonly<Record<string, { readonly type?: string }>>;
  const read = ([name, value]: [string, string]) => [
    name,
    properties[name]?.type === "integer" ? Number(value) : value,
  ];
  return {
    ...(body === "" ? {} : (JSON.parse(body) as object)),
    ...Object.fromEntries([...query, ...Object.entries(inPath)].map(read)),
  };
}

/** Never what a policy redacts. */
const titleOf = (tool: string, { topic, level }: Readonly<Record<string, unknown>>): string =>
  [tool.replaceAll("_", " "), level, topic].filter((part) => part !== undefined).join(", ");
