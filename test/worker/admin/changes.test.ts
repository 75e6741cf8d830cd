/** `GET /v1/audit/changes`: what admins have changed for their tenant, each with its author. */
import { expect, it } from "vitest";
import { gateway } from "../support/gateway.ts";

interface Changes {
  readonly data: readonly { readonly event: string; readonly subject: string | null; readonly by: string }[];
}

it("has each change of an admin and of an operator, and nothing that was only tried or refused", async () => {
  const gate = await gateway({ role: "admin" });
  const operator = await gate.operatorKey();
  const act = async (method: string, path: string, json?: unknown, key = gate.key) => {
    const response = await gate.fetch(path, { method, key, ...(json === undefined ? {} : { json }) });
    return (await response.json()) as { readonly id: string; readonly version: string };
  };
  const policies = `/admin/policies/${gate.tenant}`;
  await act("PUT", `${policies}?dry_run=true`, { name: "tried" });
  await act("PUT", policies, { nonsense: true });
  const { version } = await act("PUT", policies, { name: "one" });
  await act("PUT", policies, { name: "two" }, operator);
  await act("POST", `${policies}/rollback`, { version });
  const candidate = await act("PUT", `${policies}/candidate`, { name: "maybe" });
  await act("DELETE", `${policies}/candidate`);
  const { id } = await act("POST", "/admin/keys", { user: "ben", role: "user" });
  await act("POST", `/admin/keys/${id}/rotate`, {});
  await act("DELETE", `/admin/keys/${id}`);
  await act("DELETE", policies);
  await gate.turns();
  const trail = async (query: string) => {
    const response = await gate.fetch(`/v1/audit/changes?order=asc&${query}`);
    return ((await response.json()) as Changes).data;
  };
  expect((await trail("user=ada")).map(({ event, subject, by }) => [event, subject, by])).toEqual([
    ["policy_put", version, "ada"],
    ["policy_rolled_back", version, "ada"],
    ["candidate_set", candidate.version, "ada"],
    ["candidate_removed", null, "ada"],
    ["key_made", id, "ada"],
    ["key_rotated", id, "ada"],
    ["key_ended", id, "ada"],
    ["policy_deleted", null, "ada"],
  ]);
  await expect
    .poll(() => trail("event=policy_put"))
    .toMatchObject([{ by: "ada" }, { by: "op@operators", user: "op@operators" }]);
  const verified = await gate.fetch("/v1/audit/verify?user=ada");
  expect(await verified.json()).toMatchObject({ ok: true });
  expect((await gate.fetch("/v1/audit/changes", { key: await gate.keyFor("ben", "user") })).status).toBe(403);
});
