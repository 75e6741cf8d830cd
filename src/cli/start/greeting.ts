/** The text that `npm start` prints once the gateway serves. */

import type { CompiledPolicy } from "../../policy/compile.ts";
import { readWebhooks } from "../../settings/webhooks.ts";
import { firstChatModel } from "../models/first-chat-model.ts";
import { type PolicyOnDisk, shownPath } from "../policy-file.ts";
import type { Settings } from "../settings.ts";

export async function greeting(settings: Settings, policy: PolicyOnDisk): Promise<string> {
  const address = `http://localhost:${settings.port}/v1`;
  const served = await servedPolicy(settings.port);
  const differs = served !== undefined && served.version !== policy.version;
  const example = {
    address,
    model: await exampleModel(settings),
    policy: differs ? undefined : policy.compiled,
    demo: settings.upstream === undefined,
  };
  return [
    "",
    `address    ${address}   (the base URL for any OpenAI client)`,
    `model      ${describeModel(settings)}`,
    `policy     ${differs ? describeServed(served) : describePolicy(settings, policy)}`,
    "keys       tg-dev-guest  tg-dev-user  tg-dev-premium  tg-dev-admin   (for development, on this machine only)",
    `inbox      http://localhost:${settings.port}/console   (what waits for a person; sign in with one of these keys)`,
    ...describeWebhooks(settings),
    "",
    "try it:",
    "",
    exampleCommand(example),
    "",
    `Toolgate is ready at ${address} (Ctrl-C ends it)`,
  ].join("\n");
}

function describeModel({ upstream }: Settings): string {
  if (upstream === undefined)
    return "the demo model, run beside the gateway (UPSTREAM_BASE_URL and UPSTREAM_API_KEY name a real one)";
  // A URL may carry a user name and a password.
  const { origin, pathname } = new URL(upstream.baseUrl);
  return `${origin}${pathname}${upstream.model === undefined ? "" : `, model ${upstream.model}`}`;
}

/** Without their paths: receivers put secrets of their own into them. */
function describeWebhooks({ bindings }: Settings): readonly string[] {
  const read = readWebhooks({ SIGNING_KEYS: `k1:${"0".repeat(64)}`, ...bindings, TOOLGATE_DEV: "1" });
  if (!read.ok || read.value.webhooks.length === 0) return [];
  const hosts = read.value.webhooks.map(({ url }) => new URL(url).host);
  return [`webhooks   ${[...new Set(hosts)].join(", ")}   (they hear what waits for a person)`];
}

/** A policy that was put through the admin API has precedence over the file's. */
const describeServed = ({ name, version }: ServedPolicy): string =>
  `${name}, put through /admin/policies/default, version ${version.slice(0, 12)}`;

function describePolicy({ policyPath }: Settings, { document: { name }, version }: PolicyOnDisk): string {
  if (policyPath === undefined) return "policies/default.json, built in (TOOLGATE_POLICY names another file)";
  const named = name === undefined ? "" : `${name}, `;
  return `${named}${shownPath(policyPath)}, version ${version.slice(0, 12)} (in force anew whenever it is saved)`;
}

interface ServedPolicy {
  readonly name: string;
  readonly version: string;
}

/** Undefined if it serves the embedded one, or does not say. */
async function servedPolicy(port: number): Promise<ServedPolicy | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/admin/policies/default`, {
      headers: { authorization: "Bearer tg-dev-admin" },
      signal: AbortSignal.timeout(5_000),
    });
    const { version, document } = (await response.json()) as { version?: unknown; document?: { name?: unknown } };
    if (typeof version !== "string") return undefined;
    return { version, name: typeof document?.name === "string" ? document.name : "unnamed" };
  } catch {
    return undefined;
  }
}

const WITHIN_MS = 2000;

/** The one that replaces the client's, else the first that the upstream lists. */
export async function exampleModel({ port, upstream }: Settings): Promise<string> {
  if (upstream === undefined) return "demo";
  if (upstream.model !== undefined) return upstream.model;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/models`, {
      headers: { authorization: "Bearer tg-dev-user" },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const { data } = (await response.json()) as { data?: readonly { readonly id?: unknown }[] };
    return firstChatModel(data) ?? "THE-MODEL";
  } catch {
    return "THE-MODEL";
  }
}

/** The request that the greeting shows: one safe tool that the message needs, and others that the gateway withholds. */
interface ExampleOptions {
  readonly address: string;
  readonly model: string;
  /** The policy in force; undefined if it is not the file's. */
  readonly policy: CompiledPolicy | undefined;
  /** Whether the demo model answers: it knows how to fill a path. */
  readonly demo: boolean;
}

/** To be pasted into a shell. */
export function exampleCommand({ address, model, policy, demo }: ExampleOptions): string {
  const { content, tools, header = "" } = exampleRequest(policy, demo);
  const body = { model, messages: [{ role: "user", content }], ...(tools ? { tools } : {}) };
  return [
    `curl -s ${address}/chat/completions \\`,
    `  -H 'authorization: Bearer tg-dev-user' -H 'content-type: application/json'${header} \\`,
    // An apostrophe would end the shell's text.
    `  -d '${JSON.stringify(body).replaceAll("'", "\\u0027")}'`,
  ].join("\n");
}

interface ExampleRequest {
  readonly content: string;
  readonly tools?: readonly unknown[];
  readonly header?: string;
}

type ListedTool = readonly [
  name: string,
  settings: CompiledPolicy["tools"] extends ReadonlyMap<string, infer T> ? T : never,
];

const FILES = {
  content: "Read poem.txt to me",
  tools: [
    definition("read_file", "Read a file", fields("path")),
    definition("write_file", "Write a file", fields("path", "content")),
    definition("send_mail", "Send a mail", fields("to", "text")),
  ],
} as const;

function exampleRequest(policy: CompiledPolicy | undefined, demo: boolean): ExampleRequest {
  const listed: readonly ListedTool[] = [...(policy?.tools ?? [])].filter(([name]) => /^[\w-]+$/.test(name));
  const managed = listed.find(([, { run, connection, category, roles }]) => {
    return run && category === "read_only" && connection === undefined && roles === undefined;
  });
  // A tool that the gateway runs for every role, without asking: the client brings none.
  if (managed) return { content: `Use ${managed[0]} to find "hello"`, header: " -H 'x-toolgate-runs: tell'" };
  const clientTools = listed.filter(
    ([, { run, roles, connection }]) => !run && roles === undefined && connection === undefined,
  );
  const safe = clientTools.find(([, { category }]) => category === "read_only");
  if (demo || !safe) return FILES;
  const others = clientTools
    .filter(([, { category }]) => !/^(read_only|note_taking)$/.test(category ?? ""))
    .slice(0, 2);
  const content =
    safe[0] === "read_file" ? FILES.content : `Try ${safe[0]} with arguments of your choice, and tell me what you see`;
  return { content, tools: [safe, ...others].map(offered) };
}

/** If the policy does not give a tool's arguments, the usual ones follow from its name. */
function offered([name, { description, parameters }]: ListedTool): unknown {
  const guessed = /file/.test(name)
    ? fields("path", ...(/write|edit/.test(name) ? ["content"] : []))
    : { type: "object" };
  return definition(name, description ?? name.replaceAll(/[_-]+/g, " "), parameters ?? guessed);
}

function definition(name: string, description: string, parameters: unknown) {
  return { type: "function", function: { name, description, parameters } };
}

function fields(...names: string[]) {
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names,
  };
}
