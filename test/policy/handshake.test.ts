import { describe, expect, it } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { readHandshake } from "../../src/policy/handshake.ts";
import { offerTools } from "../../src/policy/offer.ts";
import { growthOf, LINEAR } from "../support/cpu-time.ts";
import { definitionOf, plainFacts, policyOf } from "./arbitraries.ts";

const document = {
  tools: {
    look: { category: "read_only" },
    deploy: { category: "modification", roles: ["admin"] },
    write: { category: "modification", families: ["fs"] },
  },
  families: { web: ["web_*"] },
  intents: {
    WORK: { description: "anything" },
    DEPLOY: { description: "put it live", tools: ["deploy"] },
    READ: { tools: ["category:read_only"] },
    BROWSE: { tools: ["web_*"] },
    FILES: { tools: ["write"], families: { allowedFamilies: ["web"] } },
    CHAT: { tools: [] },
  },
};
const tools = ["look", "deploy", "write"].map((name) => definitionOf(name));
const offer = (more: object = {}, facts: object = {}, given = tools) =>
  offerTools(policyOf({ ...document, ...more }), { ...plainFacts, ...facts }, given, workBudget());

describe("the handshake", () => {
  it("lists the intents that this principal could act under", () => {
    expect(offer().handshake?.intents).toEqual(["WORK", "READ", "CHAT"]);
    const admin = { principal: { ...plainFacts.principal, role: "admin" } };
    expect(offer({}, admin).handshake?.intents).toEqual(["WORK", "DEPLOY", "READ", "CHAT"]);
    expect(offer({}, {}, [...tools, definitionOf("web_get")]).handshake?.intents).toContain("BROWSE");
  });

  it("is offered in every state, and lists the same", () => {
    for (const state of ["request", "reasoning", "action"]) {
      const sent = offer({}, { state, intents: state === "action" ? ["CHAT"] : [] });
      expect(sent.handshake?.intents).toEqual(["WORK", "READ", "CHAT"]);
      expect(sent.callable.has("select_intent")).toBe(true);
    }
  });

  it("is not offered where it is off, where there are no tools, or no intent", () => {
    expect(offer({ handshake: { select: "off" } }).handshake).toBeUndefined();
    expect(offer({}, {}, []).handshake).toBeUndefined();
    expect(offer({ intents: { DEPLOY: { tools: ["deploy"] } } }).handshake).toBeUndefined();
  });

  it("has the policy's name, an enum of the intents, and short descriptions", () => {
    const long = { intents: { WORK: { description: "x".repeat(400) } }, handshake: { tool: "choose" } };
    const definition = offer(long).handshake?.definition;
    expect(definition).toMatchObject({
      name: "choose",
      parameters: { properties: { intents: { items: { enum: ["WORK"] } } } },
    });
    expect(definition?.description?.length).toBeLessThan(300);
    expect(definition?.wire).toMatchObject({ type: "function", function: { name: "choose" } });
  });

  it("reads the model's choice, and nothing else", () => {
    const { handshake } = offer();
    if (!handshake) throw new Error("no handshake");
    const read = (args: unknown) => readHandshake(handshake, args);
    expect(read({ intent: "READ", reason: "x" })).toEqual({ ok: true, value: ["READ"] });
    expect(read({ intents: ["READ", "WORK", "READ"] })).toEqual({ ok: true, value: ["READ", "WORK"] });
    expect(read({ intents: "WORK", intent: "READ" })).toEqual({ ok: true, value: ["WORK", "READ"] });
    for (const args of [{ intent: "DEPLOY" }, { intent: 1 }, {}, null, "READ", Object.create({ intent: "READ" })])
      expect(read(args)).toMatchObject({ ok: false, error: { code: "intent_unknown" } });
  });

  it("refuses a whole selection for one intent that was not offered", () => {
    const { handshake } = offer();
    if (!handshake) throw new Error("no handshake");
    for (const args of [
      { intents: ["READ", "DEPLOY"] },
      { intents: ["READ"], intent: "DEPLOY" },
      { intents: ["READ", null] },
      { intents: ["READ", ["WORK"]] },
      { intents: [] },
      { intents: { 0: "READ" } },
    ])
      expect(readHandshake(handshake, args)).toMatchObject({ ok: false, error: { code: "intent_unknown" } });
  });

  it("takes time linear in the tools and intents", () => {
    const offer = (size: number) => {
      const intents = Object.fromEntries(
        Array.from({ length: 2 * size }, (_, index) => [
          `I${index}`,
          {
            tools: [`t${index}`, `g${index % 50}_*`, "category:external", "family:web"],
            families: { allowedFamilies: ["fs"] },
          },
        ]),
      );
      const policy = policyOf({ intents, families: { fs: ["t*"] } });
      const many = Array.from({ length: size }, (_, index) => definitionOf(`t${index}`));
      const run = () => offerTools(policy, plainFacts, many, workBudget());
      expect(run().handshake?.intents).toHaveLength(size);
      return run;
    };
    expect(growthOf(125, offer)).toBeLessThan(LINEAR);
  });
});
