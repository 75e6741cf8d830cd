/** What a person reads once the gateway serves. */
import { readWebhooks } from "../../settings/webhooks.ts";
import { type PolicyFile, shownPath } from "../policy-file.ts";
import type { Settings } from "../settings.ts";
import { exampleCommand } from "./example-command.ts";
import { exampleModel } from "./example-model.ts";
import { type ServedPolicy, servedPolicy } from "./served-policy.ts";

export async function greeting(settings: Settings, policy: PolicyFile): Promise<string> {
  const address = `http://localhost:${settings.port}/v1`;
  const served = await servedPolicy(settings.port);
  const differs = served !== undefined && served.version !== policy.digest;
  const example = {
    address,
    model: await exampleModel(settings),
    policy: differs ? undefined : policy.policy,
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
  return [`webhooks   ${[...new Set(hosts)].join(", ")}   (told of what waits for a person)`];
}

/** A policy that was put through the admin API stands before the file's. */
const describeServed = ({ name, version }: ServedPolicy): string =>
  `${name}, put through /admin/policies/default, version ${version.slice(0, 12)}`;

function describePolicy({ policyPath }: Settings, { name, digest }: PolicyFile): string {
  if (policyPath === undefined) return "policies/default.json, built in (TOOLGATE_POLICY names another file)";
  const named = name === undefined ? "" : `${name}, `;
  return `${named}${shownPath(policyPath)}, version ${digest.slice(0, 12)} (in force anew whenever it is saved)`;
}
