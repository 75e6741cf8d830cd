/** `GET /admin/policies/:tenant/unlisted-tools`: what the tenant's turns have brought and its policy does not name. */
import { describe, expect, it } from "vitest";
import { tool } from "../support/gateway.ts";
import { ask, says, user } from "../support/script.ts";
import { policyAdmin } from "./policy-admin.ts";

interface Listed {
  readonly data: readonly { readonly object: string; readonly name: string }[];
}

describe("tools that no policy lists", () => {
  it("are listed for the tenant's operators, withheld ones too", async () => {
    const policy = { tools: { look: { category: "read_only" }, "mail_*": {} } };
    const admin = await policyAdmin({ policy, upstream: says({ text: "ok" }) });
    expect((await admin.ask<Listed>("GET", "/unlisted-tools")).body.data).toEqual([]);
    await ask(admin.gate, { messages: [user("hi")], tools: [tool("look"), tool("mail_send"), tool("other")] });
    await admin.gate.turns();
    const { status, body } = await admin.ask<Listed>("GET", "/unlisted-tools");
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { object: "unlisted_tool", name: "mail_send" },
      { object: "unlisted_tool", name: "other" },
    ]);
  });

  it("are no other tenant's business", async () => {
    const [one, other] = [await policyAdmin({}), await policyAdmin({ policy: {}, upstream: says({ text: "ok" }) })];
    await ask(other.gate, { messages: [user("hi")], tools: [tool("secret_tool")] });
    await other.gate.turns();
    expect((await one.ask<Listed>("GET", "/unlisted-tools")).body.data).toEqual([]);
  });
});
