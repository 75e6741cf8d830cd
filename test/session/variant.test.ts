import fc from "fast-check";
import { expect, it } from "vitest";
import { variantOf } from "../../src/session/variant.ts";

const person = fc.record({ tenant: fc.string(), user: fc.string({ unit: "grapheme" }) });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const under = (systemFirstShare: number, who: { tenant: string; user: string }) =>
  variantOf(who, { strategy: "llm_first", systemFirstShare });

it("a_share_of_none_takes_nobody_and_of_all_everybody", () => {
  fc.assert(fc.property(person, (who) => under(0, who) === "llm_first" && under(1, who) === "system_first"));
});

it("the_strategy_takes_everybody_whatever_the_share", () => {
  const always = (who: { tenant: string; user: string }, systemFirstShare: number) =>
    variantOf(who, { strategy: "system_first", systemFirstShare }) === "system_first";
  fc.assert(fc.property(person, share, always));
});

it("a_growing_share_moves_nobody_out", () => {
  fc.assert(
    fc.property(person, share, share, (who, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      return under(less, who) === "llm_first" || under(more, who) === "system_first";
    }),
  );
});

it("the_arm_of_a_user_is_always_the_same", () => {
  fc.assert(fc.property(person, share, (who, one) => under(one, who) === under(one, { ...who })));
  // Told once and for all: a release that moves users between the arms would spoil what was counted.
  const users = ["ada", "bob", "cleo", "dan", "eve", "fay"];
  expect(users.map((user) => under(0.5, { tenant: "acme", user }))).toMatchInlineSnapshot(`
    [
      "llm_first",
      "system_first",
      "llm_first",
      "llm_first",
      "llm_first",
      "system_first",
    ]
  `);
});

it.each([0.05, 0.5, 0.9])("a share of %d takes in about as many of ten thousand", (fraction) => {
  const taken = (tenant: string) =>
    Array.from({ length: 10_000 }, (_, at) => under(fraction, { tenant, user: `user-${at}` })).filter(
      (arm) => arm === "system_first",
    ).length;
  for (const tenant of ["acme", "initech"]) expect(Math.abs(taken(tenant) / 10_000 - fraction)).toBeLessThan(0.02);
});

it("names_that_run_into_each_other_are_different_users", () => {
  const half = Array.from({ length: 64 }, (_, at) => `u${at}`);
  const arms = (split: (user: string) => [string, string]) =>
    half.map((user) => under(0.5, { tenant: split(user)[0], user: split(user)[1] }));
  expect(arms((user) => [`a${user}`, "x"])).not.toEqual(arms((user) => ["a", `${user}x`]));
});
