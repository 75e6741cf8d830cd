import { describe, expect, it } from "vitest";
import { takenNames, takingAddress, withTools } from "../../src/console/policies/taken-tools.ts";
import { isNewExample, keepingMissed, keepsMissed, withExample } from "../../src/console/policies/with-example.ts";

describe("a draft of the policy", () => {
  it("takes tools by any name behind its own, and keeps what it has of them", () => {
    const names = ["a&b", "__proto__", "look up"];
    const address = takingAddress(names);
    expect(takenNames(address.slice(address.indexOf("?")))).toEqual(names);
    const set = { category: "modification" };
    const own = { tools: { "look up": { category: "read_only" } }, name: "n" };
    const taken = withTools(
      own,
      names.map((name) => ({ name, set })),
    );
    const tools =
      '{"look up":{"category":"read_only"},"a&b":{"category":"modification"},"__proto__":{"category":"modification"}}';
    expect(JSON.stringify(taken)).toBe(`{"tools":${tools},"name":"n"}`);
    expect(withTools({}, [{ name: "x", set }])).toEqual({ tools: { x: set } });
  });

  it("takes a message as an example of an intent that it has, once", () => {
    const document = { intents: { EDIT: { keywords: ["edit"] } } };
    const example = { message: "make it blue", intent: "EDIT" };
    expect(isNewExample(document, example)).toBe(true);
    const next = withExample(document, example);
    expect(next).toEqual({ intents: { EDIT: { keywords: ["edit"], examples: ["make it blue"] } } });
    expect(isNewExample(next, example)).toBe(false);
    expect(isNewExample(document, { ...example, intent: "toString" })).toBe(false);
    expect([keepsMissed(document), keepsMissed(keepingMissed(document))]).toEqual([false, true]);
  });
});
