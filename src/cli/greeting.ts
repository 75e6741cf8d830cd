/** What a person reads once the gateway serves. */
import { relative } from "node:path";
import { readWebhooks } from "../settings/webhooks.ts";
import type { PolicyFile } from "./policy-file.ts";
import type { ServedPolicy } from "./served-policy.ts";
import { root, type Settings } from "./settings.ts";

const tool = (name: string, description: string, ...fields: string[]) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field, { type: "string" }])),
      required: fields,
    },
  },
});

/** @param served told where it is not the one that is built in. */
export function greeting(settings: Settings, policy: PolicyFile | undefined, served: ServedPolicy | undefined): string {
  const address = `http://localhost:${settings.port}/v1`;
  return [
    "",
    `address    ${address}   (the base URL for any OpenAI client)`,
    `model      ${describeModel(settings)}`,
    `policy     ${describePolicy(settings, policy, served)}`,
    "keys       tg-dev-guest  tg-dev-user  tg-dev-premium  tg-dev-admin   (for development, on this machine only)",
    `inbox      http://localhost:${settings.port}/console   (what waits for a person; sign in with one of these keys)`,
    ...describeWebhooks(settings),
    "",
    "try it:",
    "",
    exampleCommand(address, settings.upstream?.model ?? "demo", differs(policy, served) ? undefined : policy),
    "",
    `Toolgate is ready at ${address} (Ctrl-C ends it)`,
  ].join("\n");
}

function describeModel({ upstream }: Settings): string {
  if (upstream === undefined) return "the built-in demo model (UPSTREAM_BASE_URL and UPSTREAM_API_KEY name a real one)";
  // A URL may carry a user name and a password.
  const { origin, pathname } = new URL(upstream.baseUrl);
  return `${origin}${pathname}${upstream.model === undefined ? "" : `, model ${upstream.model}`}`;
}

/** Without their paths: receivers put secrets of their own into them. */
function describeWebhooks({ bindings }: Settings): readonly string[] {
  const read = readWebhooks({ SIGNING_KEYS: `k1:${"0".repeat(64)}`, ...bindings, TOOLGATE_DEV: "1" });
  if (!read.ok || read.value.webhooks.length === 0) return [];
  const hosts = read.value.webhooks.map(({ url }) => new URL(url).host);
  return [`webhooks   ${[...new Set(hosts)].join(", ")}   (told of what waits for a person)`];
}

function describePolicy(
  { policyPath }: Settings,
  policy: PolicyFile | undefined,
  served: ServedPolicy | undefined,
): string {
  if (served && differs(policy, served))
    return `${served.name}, put through /admin/policies/default, version ${served.version.slice(0, 12)}`;
  if (policyPath === undefined || policy === undefined) {
    return "policies/default.json, built in (TOOLGATE_POLICY names another file)";
  }
  const name = policy.name === undefined ? "" : `${policy.name}, `;
  return `${name}${relative(root, policyPath)}, version ${policy.digest.slice(0, 12)}`;
}

/** Whether a policy that was put through the admin API stands before the file's. */
const differs = (policy: PolicyFile | undefined, served: ServedPolicy | undefined): boolean =>
  served !== undefined && served.version !== policy?.digest;

/** No apostrophe may stand in the body: it is pasted into a shell. */
function exampleCommand(address: string, model: string, policy: PolicyFile | undefined): string {
  const managed = safeManagedTool(policy);
  const content = managed ? `Use ${managed} to find "hello"` : "Read notes.txt and tell me what it says";
  const tools = [
    tool("read_file", "Read a file", "path"),
    tool("write_file", "Write a file", "path", "content"),
    tool("send_mail", "Send a mail", "to", "text"),
  ];
  const body = { model, messages: [{ role: "user", content }], ...(managed ? {} : { tools }) };
  return [
    `curl -s ${address}/chat/completions \\`,
    `  -H 'authorization: Bearer tg-dev-user' -H 'content-type: application/json'${managed ? " -H 'x-toolgate-runs: tell'" : ""} \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join("\n");
}

/** One that the gateway runs for everybody, without asking: the client brings nothing. */
function safeManagedTool(policy: PolicyFile | undefined): string | undefined {
  const found = [...(policy?.policy.tools ?? [])].find(
    ([name, { run, category, connection, roles }]) =>
      run && category === "read_only" && connection === undefined && roles === undefined && /^[\w-]+$/.test(name),
  );
  return found?.[0];
}
