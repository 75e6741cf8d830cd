/** Laws of endorsement: it is for one text, for what stands in it, and never for what cannot be taken back. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/lib/digest.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { authorityOf } from "../../../src/policy/origin/authority.ts";
import { judgeOrigins } from "../../../src/policy/origin/judge-origins.ts";
import { callValues, rolesOf } from "../../../src/policy/origin/roles/argument-roles.ts";
import { toolEffects } from "../../../src/policy/origin/roles/tool-verbs.ts";
import { type SourceText, sourcesOf } from "../../../src/policy/origin/sources/sources.ts";

const label = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/);
const value = fc.oneof(
  fc.tuple(label, label).map(([name, host]) => `${name}@${host}.com`),
  fc.tuple(label, label).map(([host, path]) => `https://${host}.org/${path}`),
  fc.tuple(label, label).map((words) => words.join(" ")),
  fc.integer({ min: 100, max: 999_999 }).map(String),
  fc.stringMatching(/^[A-Z]{2}[0-9]{6}$/),
);
const filler = fc.array(fc.constantFrom("please", "send", "it", "to", "the", "bitte", "请", "を", "\n"), {
  maxLength: 8,
});
const held = fc.tuple(filler, value, filler).map(([before, one, after]) => [...before, one, ...after].join(" "));
/** Plain text, or a leaf of JSON beside others. */
const text = fc.oneof(
  held,
  held.map((body) => JSON.stringify({ id: 7, mails: [{ subject: "hello", body }] })),
);

const result = (written: string, callId = "c"): SourceText => ({
  kind: "result",
  tool: "read_mail",
  callId,
  text: written,
  trust: { whole: false, fields: [] },
});
const originIn = (texts: readonly SourceText[], wanted: string, endorsed: readonly string[]) =>
  sourcesOf(texts, { endorsed: new Set(endorsed.map(sha256Hex)) }).originOf(wanted)?.kind;

test("an_endorsement_grounds_what_stands_in_the_text", () => {
  fc.assert(
    fc.property(filler, value, filler, fc.boolean(), (before, one, after, asJson) => {
      const body = [...before, one, ...after].join(" ");
      const written = asJson ? JSON.stringify([{ from: "x", body: `dear\n${body}\tbye` }]) : body;
      expect(originIn([result(written)], one, [written])).toBe("endorsed");
    }),
  );
});

test("an_endorsement_never_grounds_a_value_that_does_not_stand_in_the_endorsed_text", () => {
  fc.assert(
    fc.property(text, value, text, (endorsed, wanted, other) => {
      fc.pre(!endorsed.toLowerCase().includes(wanted.toLowerCase().replace(/^https:\/\//, "")));
      // It stands in another result, under the same call id too.
      const texts = [result(endorsed), result(`${other} ${wanted}`), result(`${endorsed} ${wanted}`)];
      expect(originIn(texts, wanted, [endorsed])).toBeUndefined();
    }),
  );
});

test("a_part_of_a_value_and_one_that_is_altered_are_not_endorsed", () => {
  fc.assert(
    fc.property(
      label,
      label,
      fc.constantFrom("\u200b", "\u00ad", "\uff41", "\u0430", "\u202e", "x"),
      (name, host, added) => {
        const address = `${name}@${host}.com`;
        const written = `write to ${address} today`;
        for (const wanted of [`${host}.com`, `${name}@${host}`, `${name}${added}@${host}.com`, `${address}${added}`])
          expect(originIn([result(written)], wanted, [written])).toBeUndefined();
      },
    ),
  );
});

test("no_value_spans_two_leaves", () => {
  fc.assert(
    fc.property(label, label, (first, last) => {
      const written = JSON.stringify([{ a: first, b: last }, [first, last]]);
      expect(originIn([result(written)], `${first} ${last}`, [written])).toBeUndefined();
    }),
  );
});

const judge = (tool: string, properties: Record<string, unknown>, args: Record<string, unknown>, endorsed: boolean) => {
  const written = `mail ann@corp.example about m-17, 500 and key k-1: ${Object.values(args).join(" , ")}`;
  const work = workBudget();
  const roles = rolesOf(
    { name: tool, parameters: { type: "object", properties } },
    { amount: { role: "amount" } },
    work,
  );
  return judgeOrigins({
    tool,
    undetected: [],
    authority: authorityOf({ category: "modification", class: "destructive", effects: toolEffects(tool) }),
    isDestructive: true,
    values: callValues(roles, args, work),
    untrustedSources: () => sourcesOf([result(written)], { endorsed: new Set(endorsed ? [sha256Hex(written)] : []) }),
  });
};
const string = { type: "string" };

test.each([
  ["delete_mail", { id: string }, { id: "m-17" }],
  ["send_money", { recipient: string }, { recipient: "ann@corp.example" }],
  ["share_file", { email: string }, { email: "ann@corp.example" }],
  ["publish_page", { url: string }, { url: "https://corp.example/a" }],
  ["do_something", { to: string }, { to: "ann@corp.example" }],
  ["send_mail", { to: string, amount: string }, { to: "ann@corp.example", amount: "500" }],
])("an_endorsement_never_covers_%s", (tool, properties, args) => {
  for (const endorsed of [false, true]) {
    const { effect, endorsable } = judge(tool, properties, args, endorsed);
    expect([effect, endorsable]).toEqual(["confirm", undefined]);
  }
});

test("it_is_offered_where_it_would_let_the_call_run", () => {
  const args = { to: ["ann@corp.example", "ben@corp.example"] };
  const properties = { to: { type: "array", items: string } };
  expect(judge("send_mail", properties, args, false)).toMatchObject({
    effect: "confirm",
    endorsable: { tool: "read_mail", callId: "c", digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(judge("send_mail", properties, args, true)).toMatchObject({ effect: "allow", reasons: [] });
});

test("it_is_not_offered_for_values_of_two_results_nor_for_one_of_no_result", () => {
  const work = workBudget();
  const roles = rolesOf({ name: "send_mail", parameters: { properties: { to: {}, cc: {} } } }, {}, work);
  const offered = (args: Record<string, unknown>, texts: readonly SourceText[]) =>
    judgeOrigins({
      tool: "send_mail",
      undetected: [],
      authority: authorityOf({ category: "modification", class: "destructive", effects: toolEffects("send_mail") }),
      isDestructive: true,
      values: callValues(roles, args, work),
      untrustedSources: () => sourcesOf(texts),
    }).endorsable?.callId;
  const both = { to: "ann@corp.example", cc: "ben@corp.example" };
  const [ann, ben] = [result("ann@corp.example", "a"), result("ben@corp.example", "b")];
  expect(offered(both, [ann, ben])).toBeUndefined();
  expect(offered(both, [ann, result("ann@corp.example and ben@corp.example", "c")])).toBe("c");
  expect(offered({ to: "eve@evil.example" }, [ann, ben])).toBeUndefined();
  // A part of another address, and a result that no call brought.
  expect(offered({ to: "corp.example" }, [ann])).toBeUndefined();
  expect(offered({ to: "ann@corp.example" }, [{ ...ann, tool: "" } as SourceText])).toBeUndefined();
});
