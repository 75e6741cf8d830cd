/** A replay of 100,000 recorded calls, page by page. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";

const policy = {
  roles: ["user", "admin"],
  handshake: { select: "off" },
  tools: { look: { category: "read_only" }, edit: { category: "modification", confirm: "auto" } },
};
/** Each row once more for each number. */
const COPIES = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
  INSERT INTO decisions (id, seq, previous, hash, key_id, record)
  SELECT json_extract(record, '$.id') || '_' || i, seq + 10 * i, previous, hash, key_id,
    json_set(record, '$.id', json_extract(record, '$.id') || '_' || i)
  FROM decisions, n WHERE tenant = ?`;

it("takes less than a minute", { timeout: 300_000 }, async () => {
  const calls = [
    call("c1", "look", { path: "a/b/c.txt", text: "some words here" }),
    call("c2", "edit", { path: "x", text: "y".repeat(200) }),
  ];
  const gate = await gateway({ policy, upstream: says({ calls }) });
  await ask(gate, { messages: [user("hi")], tools: [tool("look"), tool("edit")] });
  await gate.decisions();
  await env.AUDIT_DB.prepare(COPIES).bind(gate.tenant).run();
  const key = await gate.keyFor("boss", "admin");
  const other = { ...policy, tools: { ...policy.tools, edit: { category: "modification", confirm: "ask" } } };
  const begun = Date.now();
  let [judged, changed] = [0, 0];
  for (let after: string | null | undefined; after !== null; ) {
    const json = { policy: other, after };
    const response: Response = await gate.fetch(`/admin/policies/${gate.tenant}/replay`, { json, key });
    const page = (await response.json()) as Page;
    judged += page.judged;
    changed += page.changes.reduce((sum, one) => sum + one.calls, 0);
    after = page.has_more ? page.last_id : null;
  }
  expect([judged, changed]).toEqual([100_002, 50_001]);
  expect(Date.now() - begun).toBeLessThan(60_000);
  await env.AUDIT_DB.prepare("DELETE FROM decisions WHERE tenant = ?").bind(gate.tenant).run();
});

interface Page {
  readonly judged: number;
  readonly changes: readonly { readonly calls: number }[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}
