/** What a user has allowed without being asked again, and the tools a user has consented to: listed, and withdrawn. */
import { describe, expect, it } from "vitest";
import { askApproval, guardOf } from "../approvals/asked-approval.ts";
import { type Gateway, gateway } from "../support/gateway.ts";

const policy = {
  tools: {
    edit_note: { category: "modification", redact: ["content"] },
    send_mail: { category: "external", destination: "the mail service" },
    read_file: { category: "read_only" },
    find_lead: { category: "read_only", firstTime: true },
    open_page: { category: "external", firstTime: false },
  },
};
type Json = Record<string, unknown>;
type Init = Parameters<Gateway["fetch"]>[1];

async function ask(gate: Gateway, path: string, init?: Init): Promise<[number, Json]> {
  const response = await gate.fetch(`/v1${path}`, init);
  return [response.status, (await response.json()) as Json];
}
const dataOf = ([, { data }]: [number, Json]) => data as Json[];
const give = async (gate: Gateway, grant: unknown) => {
  const { id } = await askApproval({ tenant: gate.tenant });
  const [status, view] = await ask(gate, `/approvals/${id}`, { json: { action: "approve", grant } });
  return { id, status, grant: view.grant as Json, view };
};

describe("a grant", () => {
  it("is told with the answer that gives it, listed, read and withdrawn", async () => {
    const gate = await gateway({ policy });
    const { id, grant } = await give(gate, { until: "8h", arguments: { title: { equals: "plan" } } });
    expect(grant).toMatchObject({
      object: "grant",
      tool: "edit_note",
      session_id: null,
      arguments: { title: { equals: "plan" } },
      approval_id: id,
    });
    expect(String(grant.text)).toContain("edit_note");
    const lasts = Date.parse(String(grant.expires_at)) - Date.parse(String(grant.created_at));
    expect(Math.abs(lasts - 8 * 3_600_000)).toBeLessThan(5_000);
    expect(await ask(gate, "/grants")).toMatchObject([200, { object: "list", data: [grant], has_more: false }]);
    expect(await ask(gate, `/grants/${grant.id}`)).toEqual([200, grant]);
    const gone = { id: grant.id, object: "grant.deleted", deleted: true };
    expect(await ask(gate, `/grants/${grant.id}`, { method: "DELETE" })).toEqual([200, gone]);
    expect((await ask(gate, `/grants/${grant.id}`, { method: "DELETE" }))[0]).toBe(404);
    expect((await ask(gate, `/grants/${grant.id}`))[0]).toBe(404);
    expect(dataOf(await ask(gate, "/grants"))).toEqual([]);
  });

  it("for a session names it", async () => {
    const gate = await gateway({ policy });
    const { grant } = await give(gate, { until: "session" });
    expect(grant).toMatchObject({ session_id: "s", arguments: {} });
  });

  it("is refused where the call gives none, and the answer with it", async () => {
    const gate = await gateway({ policy });
    const { id } = await askApproval({ tenant: gate.tenant, grantable: false });
    const json = { action: "approve", grant: { until: "session" } };
    expect(await ask(gate, `/approvals/${id}`, { json })).toMatchObject([
      400,
      { error: { code: "approval_not_grantable", param: "grant" } },
    ]);
    expect((await ask(gate, `/approvals/${id}`))[1]).toMatchObject({ status: "pending" });
  });

  it("is refused where the policy in force permits none", async () => {
    const gate = await gateway({ policy: { ...policy, confirmation: { grants: { enabled: false } } } });
    const { status } = await give(gate, { until: "session" });
    expect(status).toBe(400);
  });

  it("is given for the arguments as they were edited", async () => {
    const gate = await gateway({ policy });
    const { id } = await askApproval({ tenant: gate.tenant });
    const grant = { until: "withdrawn", arguments: { title: { equals: "new" } } };
    const json = { action: "edit", arguments: { title: "new" }, grant };
    expect(await ask(gate, `/approvals/${id}`, { json })).toMatchObject([
      200,
      { grant: { arguments: grant.arguments } },
    ]);
  });

  it("shows nothing that the policy in force redacts", async () => {
    const gate = await gateway({ policy });
    const args = { title: "plan", content: "secret words" };
    // As given under a policy that did not redact them.
    const { id } = await askApproval({ tenant: gate.tenant, arguments: args, redact: [] });
    const content = { equals: "secret words" };
    const taken = await guardOf(gate.tenant).approvals.answer(id, {
      action: "approve",
      via: "api",
      by: "ada",
      reason: null,
      grant: { session: false, expiresAt: null, arguments: { content, title: { matches: "pl.*" } } },
    });
    expect(taken.kind).toBe("answered");
    const [grant] = dataOf(await ask(gate, "/grants"));
    expect(grant?.arguments).toEqual({ content: { equals: "[redacted]" }, title: { matches: "pl.*" } });
    expect(JSON.stringify([grant, await ask(gate, `/grants/${grant?.id}`)])).not.toContain("secret");
  });

  it("is told in the reader's language", async () => {
    const gate = await gateway({ policy });
    await give(gate, { until: "session" });
    const textIn = async (language: string) =>
      dataOf(await ask(gate, "/grants", { headers: { "accept-language": language } }))[0]?.text;
    const english = await textIn("en-GB,en;q=0.9");
    const japanese = await textIn("ja-JP,en;q=0.5");
    expect(japanese).not.toBe(english);
    expect(await textIn("xx, zz")).toBe(english);
  });

  it("is another's to neither read nor withdraw", async () => {
    const gate = await gateway({ policy });
    const { grant } = await give(gate, { until: "withdrawn" });
    for (const key of [
      await gate.keyFor("bob", "user"),
      await gate.keyFor("boss", "admin"),
      await gate.operatorKey(),
    ]) {
      expect(dataOf(await ask(gate, "/grants", { key }))).toEqual([]);
      expect((await ask(gate, `/grants/${grant.id}`, { key }))[0]).toBe(404);
      expect((await ask(gate, `/grants/${grant.id}`, { method: "DELETE", key }))[0]).toBe(404);
    }
    expect(dataOf(await ask(gate, "/grants")).length).toBe(1);
  });
});

describe("gates", () => {
  it("are listed, opened by a body that names the tool, and closed", async () => {
    const gate = await gateway({ policy });
    expect(dataOf(await ask(gate, "/gates"))).toEqual([]);
    const opened = {
      object: "gate",
      tool: "send_mail",
      open: true,
      session_id: null,
      destination: "the mail service",
      goes_to: null,
    };
    expect(await ask(gate, "/gates", { json: { tool: "send_mail" } })).toEqual([200, opened]);
    await askApproval({ tenant: gate.tenant, session: "mine" });
    const session = { tool: "find_lead", session_id: "mine" };
    expect((await ask(gate, "/gates", { json: session }))[0]).toBe(200);
    expect(dataOf(await ask(gate, "/gates"))).toMatchObject(
      expect.arrayContaining([{ ...opened, opened_at: expect.any(String) }, expect.objectContaining(session)]),
    );
    expect((await ask(gate, "/gates/send_mail", { method: "DELETE" }))[0]).toBe(200);
    expect(dataOf(await ask(gate, "/gates"))).toMatchObject([session]);
  });

  it("are where the policy asks before the first use, whatever the category", async () => {
    const gate = await gateway({ policy });
    const statuses = await Promise.all(
      ["send_mail", "find_lead", "read_file", "open_page", "made_up", "__proto__"].map(
        async (tool) => (await ask(gate, "/gates", { json: { tool } }))[0],
      ),
    );
    expect(statuses).toEqual([200, 200, 400, 400, 400, 400]);
  });

  it.each<[string, string, string | null]>([
    ["nothing", "", "tool"],
    ["no tool", '{"session_id":"s"}', "tool"],
    ["a tool that is no text", '{"tool":7}', "tool"],
    ["an empty tool", '{"tool":""}', "tool"],
    ["an unknown member", '{"tool":"send_mail","session":"s"}', "session"],
    ["a session that cannot be", '{"tool":"send_mail","session_id":""}', "session_id"],
    ["a list", '["send_mail"]', null],
  ])("are not opened by a body with %s", async (_what, body, param) => {
    const gate = await gateway({ policy });
    const [status, { error }] = await ask(gate, "/gates", { method: "POST", body });
    expect([status, (error as { param?: string } | undefined)?.param]).toEqual([400, param]);
    expect(dataOf(await ask(gate, "/gates"))).toEqual([]);
  });

  it("are not opened by a path and a body that name two tools", async () => {
    const gate = await gateway({ policy });
    expect((await ask(gate, "/gates/send_mail", { json: { tool: "find_lead" } }))[0]).toBe(400);
    expect(dataOf(await ask(gate, "/gates"))).toEqual([]);
  });

  it("of another are not seen", async () => {
    const gate = await gateway({ policy });
    await ask(gate, "/gates", { json: { tool: "send_mail" } });
    const key = await gate.keyFor("bob", "admin");
    expect(dataOf(await ask(gate, "/gates", { key }))).toEqual([]);
  });
});
