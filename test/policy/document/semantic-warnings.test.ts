import { describe, expect, it } from "vitest";
import { checkPolicy } from "../../../src/policy/check.ts";

const five = ["a", "b", "c", "d", "e"];

function warnings(intents: Record<string, unknown>, layers = ["semantic"], fallback?: string): string {
  const checked = checkPolicy({ intents, detection: { layers, fallback } }, "v1");
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value.warnings
    .filter(({ path, message }) => path === "/detection/layers" && message.includes("`semantic`"))
    .map(({ message }) => message)
    .join("; ");
}

describe("a policy with the layer `semantic`", () => {
  it("warns where there is nothing to compare", () => {
    expect(warnings({})).toContain("nothing to compare");
    expect(warnings({ A: { examples: five } })).toContain("nothing to compare");
    expect(warnings({ A: { examples: five }, B: {} })).toContain("nothing to compare");
  });

  it("is told which intents have few examples", () => {
    expect(warnings({ A: { examples: five }, B: { description: "b" } })).toMatch(/fewer than 5 examples in `B`$/);
    const poor = Object.fromEntries(["A", "B", "C", "D", "E", "F", "G"].map((name) => [name, { keywords: [name] }]));
    expect(warnings(poor)).toMatch(/`A`, `B`, `C`, `D`, `E` and 2 more$/);
  });

  it("need not teach the fallback", () => {
    const intents = { A: { examples: five }, B: { examples: five }, CHAT: { description: "anything else" } };
    expect(warnings(intents, ["semantic"], "CHAT")).toBe("");
    expect(warnings(intents)).toContain("`CHAT`");
  });

  it("is told nothing where it has enough, and without the layer", () => {
    expect(warnings({ A: { examples: five }, B: { examples: five } })).toBe("");
    expect(warnings({ A: {} }, ["keywords"])).toBe("");
  });
});
