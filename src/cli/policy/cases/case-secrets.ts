/** Secrets and tokens of policy cases: made up, each bound to the hosts that the policies send it to. Pure. */
import { reachedBy } from "../../../policy/compare/hosts.ts";
import type { PolicyOnDisk } from "../../policy-file.ts";

/** What a case's scripted host sees of the secret or token. */
export const madeUp = (name: string): string => `case-${name}`;

/** Variables of the gateway. */
export function secretBindings(policies: readonly PolicyOnDisk[]): Readonly<Record<string, string>> {
  const hosts = hostsBy(policies, "secret ");
  if (hosts.size === 0) return {};
  const bound = [...hosts].map(([name, sent]) => [name, { tenants: ["*"], hosts: [...sent] }]);
  return {
    TOOL_SECRETS: JSON.stringify(Object.fromEntries(bound)),
    ...Object.fromEntries([...hosts.keys()].map((name) => [`SECRET_${name}`, madeUp(name)])),
  };
}

/** What a user must have linked so that the policy's tools can send their tokens, as the API takes it. */
export const linkedTokens = (policy: PolicyOnDisk, providers: readonly string[]) =>
  [...hostsBy([policy], "token of ")]
    .filter(([provider]) => providers.includes(provider))
    .map(([provider, hosts]) => ({ provider, token: madeUp(provider), hosts: [...hosts] }));

function hostsBy(policies: readonly PolicyOnDisk[], kind: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { document, compiled: policy } of policies) {
    for (const [host, what] of reachedBy({ document, policy })) {
      for (const one of what) {
        if (!one.startsWith(kind)) continue;
        const name = one.slice(kind.length);
        found.set(name, (found.get(name) ?? new Set()).add(host));
      }
    }
  }
  return found;
}
