/** Invariants over the names of `arbitraries.ts`. */
import fc from "fast-check";
import * as arb from "../arbitraries.ts";

const never = fc
  .record(
    {
      effect: fc.constantFrom<unknown>("allow", "allow", "confirm", "offer", ["allow", "confirm"]),
      tool: fc.oneof(arb.selector, fc.constant("fs_write")),
      category: fc.constantFrom("read_only", "modification", "external"),
      class: fc.constantFrom("safe", "destructive"),
      family: fc.constantFrom(...arb.familyNames),
    },
    { requiredKeys: ["effect"] },
  )
  // Seldom more than one: else nothing is left that an invariant is about.
  .chain(({ effect, ...others }) => {
    const names = Object.keys(others);
    return fc.subarray(names, { maxLength: Math.min(2, names.length) }).map((kept) => ({
      effect,
      ...Object.fromEntries(Object.entries(others).filter(([name]) => kept.includes(name))),
    }));
  });

const when = fc
  .record({
    role: fc.constantFrom<unknown>("guest", "user", ["guest", "user"]),
    mode: fc.constantFrom("default", "careful"),
    state: fc.constantFrom<unknown>("reasoning", ["request", "reasoning"], "action"),
    trust: fc.constantFrom("trusted", "untrusted"),
    grounded: fc.boolean(),
    connection: fc.constantFrom({ crm: "missing" }, { mail: "linked" }),
    listed: fc.boolean(),
    arguments: fc.constant({ properties: { amount: { type: "number", exclusiveMinimum: 20 } }, required: ["amount"] }),
  })
  .chain((all) =>
    fc.subarray(Object.keys(all), { maxLength: 2 }).map((kept) => {
      const found = Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)));
      return "grounded" in found ? { ...found, trust: "untrusted" } : found;
    }),
  );

export const invariants = fc.array(fc.record({ say: fc.constant("a rule"), never, when }), {
  minLength: 1,
  maxLength: 3,
});
