import { describe, expect, it } from "vitest";
import { type CompiledPolicy, compilePolicy } from "../../src/policy/compile.ts";
import { parsePolicyDocument } from "../../src/policy/document/document.ts";
import { canDetect, offerHandshake, readHandshake, selectableIntents } from "../../src/policy/handshake.ts";
import { traitsOf } from "../../src/policy/traits.ts";

const none = { keywords: [], patterns: [], examples: [] };

describe("whether a policy can detect", () => {
  it.each([
    [[], { keywords: ["a"], patterns: ["a"], examples: ["a"] }, false],
    [["keywords"], { keywords: ["a"] }, true],
    [["keywords"], { patterns: ["a"], examples: ["a"] }, false],
    [["patterns"], { patterns: ["a"] }, true],
    [["patterns"], { keywords: ["a"] }, false],
    [["semantic"], { examples: ["a"] }, true],
    [["semantic"], { keywords: ["a"] }, true],
    [["semantic"], { patterns: ["a"] }, false],
    [["model"], {}, true],
    [["keywords", "patterns", "semantic"], {}, false],
  ] as const)("%j with %j: %s", (layers, words, expected) => {
    expect(canDetect([...layers], [none, { ...none, ...words }])).toBe(expected);
  });
});

function policyOf(handshake: Record<string, unknown>): CompiledPolicy {
  const parsed = parsePolicyDocument({
    tools: { pay: {}, read: {} },
    intents: { PAY: { keywords: ["pay"], tools: ["pay"] }, READ: { tools: ["read"] }, ANY: {}, TALK: { tools: [] } },
    detection: { layers: ["keywords"] },
    handshake,
  });
  const compiled = parsed.ok ? compilePolicy(parsed.value.document, "v") : parsed;
  if (!compiled.ok) throw new Error("the policy is not valid");
  return compiled.value;
}

describe("what the handshake may select", () => {
  it.each([
    ["afterUntrusted", false, undefined],
    ["afterUntrusted", true, ["PAY", "READ"]],
    ["always", false, ["PAY", "READ"]],
    ["never", true, undefined],
  ])("%s, calls under it unasked %s: %j", (mustMatchDetected, unconfirmed, expected) => {
    const facts = { detected: ["PAY"], held: ["READ"], unconfirmed };
    const selectable = selectableIntents(policyOf({ mustMatchDetected }), facts);
    expect(selectable && [...selectable]).toEqual(expected);
  });

  it("is in its schema and its text, with what permits no tools; nothing tells of the others", () => {
    const policy = policyOf({});
    const tools = ["pay", "read"].map((name) => traitsOf(policy, name));
    const offer = offerHandshake(policy, tools, new Set(["READ", "GONE"]));
    if (!offer) throw new Error("no handshake");
    expect(offer.intents).toEqual(["READ", "TALK"]);
    expect(JSON.stringify(offer.definition)).not.toMatch(/PAY|ANY|GONE/);
    const read = (intent: unknown) => {
      const chosen = readHandshake(offer, { intent });
      return chosen.ok ? chosen.value.join() : chosen.error.code;
    };
    expect(["READ", "TALK", "PAY", "ANY", "GONE", 1].map(read)).toEqual([
      "READ",
      "TALK",
      "intent_not_detected",
      "intent_not_detected",
      "intent_unknown",
      "intent_unknown",
    ]);
    expect(offerHandshake(policy, tools)?.intents).toEqual(["PAY", "READ", "ANY", "TALK"]);
  });
});
