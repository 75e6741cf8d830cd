/** Tools that libraries make of something else: structured output, and hand-offs between an application's agents. */

import { describe, expect, it } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import type { Facts } from "../../src/policy/facts.ts";
import { offerTools } from "../../src/policy/offer.ts";
import { vetCall } from "../../src/policy/vet.ts";
import { definitionOf, plainFacts, policyOf } from "./arbitraries.ts";

const nothing = { type: "object", properties: {}, required: [], additionalProperties: false };

function vet(document: object, tool: string, schema: object, facts: Partial<Facts> = {}, args = {}) {
  const policy = policyOf(document);
  const all = { ...plainFacts, ...facts };
  const offer = offerTools(policy, all, [definitionOf(tool, schema)], workBudget());
  return vetCall(policy, all, offer, { id: "c", tool, arguments: args }, workBudget());
}
const asks = (...args: Parameters<typeof vet>) => {
  const { effect, counted } = vet(...args);
  return effect === "deny" ? "deny" : counted.confirmation || counted.gate ? "asks" : "runs";
};

describe("structured output that the application demands as a tool", () => {
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const demanded = { forcedTool: "extract", state: "request", intents: [] } as const;
  const ada = { name: "Ada" };

  it("runs unasked, in every category that unlisted tools have", () => {
    expect(asks({}, "extract", schema, demanded, ada)).toBe("runs");
    expect(asks({ unlistedTools: "external" }, "extract", schema, demanded, ada)).toBe("runs");
  });

  it("is vetted as any call", () => {
    expect(asks({}, "extract", schema, demanded, { name: 1 })).toBe("deny");
    expect(asks({ modes: { default: { deny: ["extract"] } } }, "extract", schema, demanded, ada)).toBe("deny");
    expect(asks({ handshake: { forced: "refuse" } }, "extract", schema, demanded, ada)).toBe("deny");
  });

  it("is none where the policy lists the tool, the model chose it, or it undoes a call", () => {
    expect(asks({ tools: { extract: { category: "modification" } } }, "extract", schema, demanded, ada)).toBe("asks");
    expect(asks({}, "extract", schema, {}, ada)).toBe("asks");
    expect(asks({}, "extract", schema, { forcedTool: "extract", undo: { arguments: undefined } }, ada)).toBe("asks");
  });
});

describe("a hand-off", () => {
  const document = {
    handoffs: ["transfer_to_*"],
    intents: { CHAT: { tools: [] }, NOTE: { tools: ["create_note"] } },
  };
  const early = { state: "request", intents: [] } as const;

  it("runs unasked, before an intent and under every intent", () => {
    expect(asks(document, "transfer_to_billing", nothing, early)).toBe("runs");
    expect(asks(document, "transfer_to_billing", nothing, { intents: ["CHAT"] })).toBe("runs");
    expect(asks(document, "transfer_to_billing", nothing, { intents: ["NOTE"] })).toBe("runs");
  });

  it.each([
    ["takes an argument", { ...nothing, properties: { amount: { type: "number" } } }],
    ["takes what it likes", { type: "object", properties: {} }],
    ["takes what another keyword lets by", { ...nothing, patternProperties: { "^a": {} } }],
    ["has no schema", undefined],
  ])("is none where the tool %s", (_, schema) => {
    expect(asks(document, "transfer_to_billing", schema as object, early)).toBe("deny");
  });

  it("is none where the policy lists the tool, or names no hand-offs", () => {
    const listed = { ...document, tools: { transfer_to_billing: { category: "modification" } } };
    expect(asks(listed, "transfer_to_billing", nothing, early)).toBe("deny");
    expect(asks({ ...document, handoffs: [] }, "transfer_to_billing", nothing, early)).toBe("deny");
  });

  it("obeys the mode", () => {
    const offline = { ...document, modes: { default: { deny: ["transfer_to_*"] } } };
    expect(asks(offline, "transfer_to_billing", nothing, early)).toBe("deny");
  });
});
