/** Where the object of a user is: the settings of its tenant may keep it within a jurisdiction, in which its name means another object. */
import { lengthPrefixed } from "../../lib/digest.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { Owner } from "../../session/principal.ts";
import type { UserGuard } from "../objects/user-guard.ts";
import { tenantKey } from "./tenant-keys.ts";

export interface GuardStubsEnv {
  readonly USER_GUARD: DurableObjectNamespace<UserGuard>;
  readonly KV: KvPort;
  /** `1`: tenants may have settings of their own. */
  readonly TENANT_SETTINGS?: string;
}

/** Makes a new stub at each call, and the object's id, which takes longer, once. */
type StubsOf = (owner: Owner) => () => DurableObjectStub<UserGuard> | Promise<DurableObjectStub<UserGuard>>;

/**
 * Asks KV if tenants may have settings; fails if KV does, since another object would know nothing of the user.
 * @param known the tenant that is needed most, and its jurisdiction.
 */
export function guardStubs(
  { USER_GUARD: objects, KV: kv, TENANT_SETTINGS: enabled }: GuardStubsEnv,
  known?: { readonly tenant: string; readonly jurisdiction: DurableObjectJurisdiction | undefined },
): StubsOf {
  const stubsIn = (jurisdiction: DurableObjectJurisdiction | undefined, { tenant, user }: Owner) => {
    const within = jurisdiction === undefined ? objects : objects.jurisdiction(jurisdiction);
    const id = within.idFromName(lengthPrefixed(tenant, user));
    return () => within.get(id);
  };
  return (owner) => {
    if (enabled !== "1") return stubsIn(undefined, owner);
    if (owner.tenant === known?.tenant) return stubsIn(known.jurisdiction, owner);
    return () => kv.get(tenantKey(owner.tenant)).then((text) => stubsIn(jurisdictionIn(text), owner)());
  };
}

function jurisdictionIn(text: string | null): DurableObjectJurisdiction | undefined {
  const { jurisdiction } = JSON.parse(text ?? "{}") as { readonly jurisdiction?: DurableObjectJurisdiction | null };
  return jurisdiction ?? undefined;
}
