/** `GET /admin/tools/seen`. */
import { expect, it } from "vitest";
import { gateway, tool } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";

it("lists the tools that no policy names, with how often and by whom they came", async () => {
  const policy = { roles: ["user", "admin"], unlistedTools: "deny", tools: { look: { category: "read_only" } } };
  const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
  const begun = Date.now();
  await ask(gate, { messages: [user("hi")], tools: [tool("look"), tool("mail_send")] });
  await ask(gate, { messages: [user("well")], tools: [tool("mail_send"), tool("other")] });
  await gate.turns();
  const admin = await gate.keyFor("boss", "admin");
  const seen = async (key: string) => {
    const response = await gate.fetch("/admin/tools/seen", { key });
    return { status: response.status, body: (await response.json()) as { data: Record<string, unknown>[] } };
  };
  const { status, body } = await seen(admin);
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    {
      object: "seen_tool",
      name: "mail_send",
      turns: 2,
      withheld: 2,
      users: 1,
      by: ["ada"],
      set: { category: "external", sensitive: true },
    },
    {
      object: "seen_tool",
      name: "other",
      turns: 1,
      withheld: 1,
      users: 1,
      by: ["ada"],
      set: { category: "modification" },
    },
  ]);
  const [first] = body.data;
  expect(Date.parse(String(first?.first_at))).toBeGreaterThanOrEqual(begun - 1);
  expect(Date.parse(String(first?.last_at))).toBeGreaterThanOrEqual(Date.parse(String(first?.first_at)));
  expect((await seen(gate.key)).status).toBe(403);
  const other = await gateway({ policy });
  const theirs = await other.fetch("/admin/tools/seen", { key: await other.keyFor("boss", "admin") });
  expect(((await theirs.json()) as { data: unknown[] }).data).toEqual([]);
  const named = await other.fetch(`/admin/tools/seen?tenant=${gate.tenant}`, {
    key: await other.keyFor("boss", "admin"),
  });
  expect(named.status).toBe(403);
});
