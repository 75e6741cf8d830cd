import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../../src/policy/facts.ts";
import { withInferred } from "../../../src/policy/infer/with-inferred.ts";
import { permittedBy, traitsOf } from "../../../src/policy/traits.ts";
import { policyOf as compiledOf } from "../../support/policy.ts";

const policyOf = (document: object) => compiledOf({ unlistedTools: "infer", ...document });

const tool = (name: string, description: string, properties: object = {}): ToolDefinition => ({
  name,
  description,
  parameters: { type: "object", properties },
  wire: {},
});
const reader = tool("get_orders", "Get the orders of the user.");

describe("unlistedTools: infer", () => {
  it("asks about everything but what only reads", () => {
    const tools = [
      reader,
      tool("send_mail", "Send a mail."),
      tool("save_note", "Save a private note."),
      tool("frob", "Frobs."),
      tool("get_it", ""),
      tool("read_mail", "Reads a mail and forwards it."),
      tool("fetch_page", "Fetch a page.", { url: {} }),
    ];
    const policy = withInferred(policyOf({ confirmation: { autoConfirmNoteTaking: true } }), tools);
    expect(tools.filter(({ name }) => !traitsOf(policy, name).needsConfirmation).map(({ name }) => name)).toEqual([
      "get_orders",
    ]);
    expect(tools.filter(({ name }) => traitsOf(policy, name).gate).map(({ name }) => name)).toEqual([
      "send_mail",
      "read_mail",
      "fetch_page",
    ]);
  });

  it("does not believe a description that is too long to be read whole", () => {
    const long = tool("get_orders", `Get the orders of the user. ${"It is fine. ".repeat(200)}`);
    expect(traitsOf(withInferred(policyOf({}), [long]), "get_orders").needsConfirmation).toBe(true);
  });

  it("makes nothing safe, trusted or reversible, and opens no selector", () => {
    const policy = withInferred(policyOf({ modes: { look: { allow: ["category:read_only"] } } }), [reader]);
    const traits = traitsOf(policy, "get_orders");
    expect(traits).toMatchObject({ class: "destructive", trusted: false, reversible: false, category: "read_only" });
    const allow = policy.modes.get("look")?.allow;
    expect(allow && permittedBy(allow, traits)).toBe(false);
  });

  it("keeps what groups demand of a tool", () => {
    const policy = withInferred(policyOf({ tools: { "get_*": { confirm: "ask" } } }), [reader]);
    expect(traitsOf(policy, "get_orders").needsConfirmation).toBe(true);
  });

  it("does not touch tools that the policy lists, and takes two of one name for the strictest", () => {
    const policy = policyOf({ tools: { get_orders: { category: "external", sensitive: true } } });
    expect(traitsOf(withInferred(policy, [reader]), "get_orders").needsConfirmation).toBe(true);
    const twice = withInferred(policyOf({}), [reader, reader]);
    expect(traitsOf(twice, "get_orders")).toMatchObject({ needsConfirmation: true, gate: true });
  });

  it("knows a tool by this request's definition alone", () => {
    const policy = policyOf({});
    expect(traitsOf(withInferred(policy, [reader]), "get_orders").needsConfirmation).toBe(false);
    expect(
      traitsOf(withInferred(policy, [tool("get_orders", "Sends the orders by mail.")]), "get_orders").needsConfirmation,
    ).toBe(true);
    expect(traitsOf(policy, "get_orders").needsConfirmation).toBe(true);
  });

  it("gives the same object for the same tools, and the policy itself where it infers nothing", () => {
    const policy = policyOf({});
    expect(withInferred(policy, [reader])).toBe(withInferred(policy, [{ ...reader }]));
    const other = policyOf({ unlistedTools: "modification" });
    expect(withInferred(other, [reader])).toBe(other);
  });
});
