import { expect, it } from "vitest";
import { policyWarnings, unboundSecrets } from "../../../src/cli/start/policy-warnings.ts";
import { compilePolicy } from "../../../src/policy/compile.ts";
import { parsePolicyDocument } from "../../../src/policy/document/document.ts";
import { policyOf } from "../../support/policy.ts";

const headers = { authorization: "Bearer {{secret.CRM}}" };
const policy = policyOf({
  tools: {
    find_lead: {
      category: "read_only",
      connection: "crm",
      run: { kind: "http", url: "https://crm.test/x", headers: { ...headers, "x-user": "{{connection.token}}" } },
    },
    search_notes: { category: "read_only", run: { kind: "builtin" } },
  },
  mcpServers: { zotero: { url: "https://zotero.test/mcp", headers } },
});

const unbound = (tenants: readonly string[], hosts: readonly string[]) =>
  unboundSecrets(policy, "default", { TOOL_SECRETS: JSON.stringify({ CRM: { tenants, hosts } }), SECRET_CRM: "v" });

it("names each place whose secret is not bound to its host and the tenant, and no value", () => {
  const lines = unbound(["*"], ["crm.test"]);
  expect(lines).toEqual([
    "  /mcpServers/zotero/headers/authorization: the gateway's settings bind no secret `CRM` to this tenant and zotero.test, so no such call can start: set TOOL_SECRETS and SECRET_CRM",
  ]);
  expect(unbound(["acme"], ["crm.test", "zotero.test"])).toHaveLength(2);
  expect(unboundSecrets(policy, "default", {})).toHaveLength(2);
});

it("says nothing where all are bound", () => {
  expect(unbound(["default"], ["crm.test", "zotero.test"])).toEqual([]);
});

it("tells of roles that leave the development key without one", () => {
  const warningsOf = (roles?: readonly string[]) => {
    const parsed = parsePolicyDocument(roles ? { roles } : {});
    const compiled = parsed.ok ? compilePolicy(parsed.value.document, "v1") : parsed;
    if (!parsed.ok || !compiled.ok) throw new Error("not valid");
    const { document } = parsed.value;
    return policyWarnings(
      { ...{ input: {}, version: "v1", warnings: [], proofs: [] }, document, compiled: compiled.value },
      {},
    );
  };
  expect(warningsOf()).toEqual([]);
  expect(warningsOf(["agent", "lead"])).toEqual([
    expect.stringMatching(/^ {2}\/roles: the roles are `agent`, `lead`, so /),
  ]);
});
