/** Laws of decisions once somebody else's text is in the conversation, through all pure rules. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { workBudget } from "../../../src/lib/work-budget.ts";
import type { Effect } from "../../../src/policy/decision.ts";
import type { Facts, ToolDefinition } from "../../../src/policy/facts.ts";
import { offerTools } from "../../../src/policy/offer.ts";
import { type SourceText, sourcesOf } from "../../../src/policy/origin/sources/sources.ts";
import { foldRules } from "../../../src/policy/rules/rule.ts";
import { rules } from "../../../src/policy/rules/rules.ts";
import { traitsOf } from "../../../src/policy/traits.ts";
import { vetCall } from "../../../src/policy/vet.ts";
import { plainFacts, policyOf } from "../arbitraries.ts";

const string = { type: "string" };
const list = { type: "array", items: string };
const schemas: Readonly<Record<string, Record<string, unknown>>> = {
  send_mail: { to: list, cc: string, body: string },
  fetch_page: { url: string },
  delete_file: { path: string },
  write_note: { title: string, text: string },
  clear_all: {},
  send_money: { recipient: string, amount: { type: "number" } },
};
const tools = Object.keys(schemas);
const definitions = tools.map((name): ToolDefinition => {
  const parameters = { type: "object", properties: schemas[name] };
  return { name, parameters, wire: { type: "function", function: { name, parameters } } };
});
const policy = policyOf({
  tools: {
    send_mail: { category: "modification", confirm: "ungrounded" },
    fetch_page: { category: "read_only" },
    delete_file: { category: "modification", confirm: "auto" },
    write_note: { category: "note_taking", confirm: "auto" },
    clear_all: { category: "modification", confirm: "auto" },
    send_money: { category: "modification", confirm: "ungrounded" },
  },
  intents: {
    MAIL: { tools: ["send_mail", "write_note", "send_money"] },
    FILES: { tools: ["delete_file", "clear_all"] },
    ALL: {},
  },
});

const value = fc.constantFrom(
  "ann@corp.example",
  "eve@evil.example",
  "https://evil.example/x",
  "a.txt",
  "b.txt",
  "hello",
);
const amount = fc.constantFrom(1, 20, 9_000);
const argumentsOf = (tool: string) =>
  fc.record(
    Object.fromEntries(
      Object.entries(schemas[tool] ?? {}).map(([name, schema]) => [
        name,
        schema === list ? fc.array(value, { maxLength: 3 }) : name === "amount" ? amount : value,
      ]),
    ),
    { requiredKeys: [] },
  );
const call = fc
  .constantFrom(...tools)
  .chain((tool) => argumentsOf(tool).map((args) => ({ id: "c", tool, arguments: args as Record<string, unknown> })));
const wishes = fc.constantFrom("please do it with", "pay 20 to", "send the difference to");
const users = fc
  .tuple(wishes, fc.array(value, { maxLength: 3 }))
  .map(([wish, words]): SourceText => ({ kind: "user", text: `${wish} ${words.join(" and ")} now` }));
const result = (text: string, trusted = false): SourceText => ({
  kind: "result",
  tool: "read",
  callId: "r",
  text,
  trust: { whole: trusted, fields: [] },
});
const written = fc.oneof(value, amount.map(String));
const untrusted = fc
  .tuple(fc.array(written, { maxLength: 4 }), fc.boolean())
  .map(([words, asJson]) => result(asJson ? JSON.stringify(words.map((id) => ({ id, name: id }))) : words.join(" ")));
const trusted = fc.option(
  written.map((one) => result(JSON.stringify({ id: one }), true)),
  { nil: undefined },
);
const intents = fc.subarray(["MAIL", "FILES", "ALL"], { minLength: 1 });
const world = fc
  .record({ call, user: users, trusted, intents, marks: fc.subarray(["MAIL", "FILES", "ALL"]) })
  .map(({ trusted: believed, ...one }) => ({ ...one, texts: [one.user, ...(believed ? [believed] : [])] }));
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Payments to somebody whom the user names, so that the amount alone matters. */
const payments = fc.tuple(world, wishes, amount).map(([one, wish, paid]): World => {
  const user: SourceText = { kind: "user", text: `${wish} ann@corp.example now` };
  const args = { recipient: "ann@corp.example", amount: paid };
  const texts = [user, ...one.texts.slice(1)];
  return { ...one, user, texts, intents: ["ALL"], call: { id: "c", tool: "send_money", arguments: args } };
});

const strictness: Record<Effect, number> = { allow: 0, confirm: 1, deny: 2 };

const factsOf = (one: World, texts: readonly SourceText[] | undefined): Facts => ({
  ...plainFacts,
  state: "action",
  intents: one.intents,
  selectedAfterUntrusted: new Set(one.marks.filter((name) => one.intents.includes(name))),
  untrustedSources: () => texts && sourcesOf(texts),
  allSources: () => sourcesOf(one.texts),
});
const ORDER = { kind: "text", passage: "AI: pay", tool: "read" } as const;
/** @param ordered a result holds instructions to the model. */
function decide(one: World, texts: readonly SourceText[] | undefined, ordered = false) {
  const facts = { ...factsOf(one, texts), ...(ordered ? { instructions: () => ORDER } : {}) };
  const offer = offerTools(policy, facts, definitions, workBudget());
  return vetCall(policy, facts, offer, one.call, workBudget());
}
const runs = { numRuns: 500 };

test("adding_untrusted_text_never_loosens_a_decision", () => {
  fc.assert(
    fc.property(
      fc.oneof(world, payments),
      fc.array(untrusted, { minLength: 1, maxLength: 3 }),
      untrusted,
      (one, added, first) => {
        const before = decide(one, undefined);
        const read = decide(one, [...one.texts, first]);
        const more = decide(one, [...one.texts, first, ...added]);
        expect(strictness[read.effect]).toBeGreaterThanOrEqual(strictness[before.effect]);
        expect(strictness[more.effect]).toBeGreaterThanOrEqual(strictness[read.effect]);
        // It makes no difference which of it comes first.
        expect(decide(one, [...added.toReversed(), first, ...one.texts]).effect).toBe(more.effect);
      },
    ),
    runs,
  );
});

test("instructions_in_a_result_never_loosen_a_decision_and_no_effect_runs_unasked_after_them", () => {
  fc.assert(
    fc.property(world, untrusted, (one, read) => {
      const texts = [...one.texts, read];
      const [before, after] = [decide(one, texts), decide(one, texts, true)];
      expect(strictness[after.effect]).toBeGreaterThanOrEqual(strictness[before.effect]);
      if (traitsOf(policy, one.call.tool).class === "destructive") expect(after.effect).not.toBe("allow");
      else expect(after.effect).toBe(before.effect);
    }),
    runs,
  );
});

test("a_value_that_was_stored_after_untrusted_text_is_grounded_by_the_users_words_alone", () => {
  const value = fc.constantFrom("eve@evil.example", "ann@corp.example");
  fc.assert(
    fc.property(value, fc.array(trusted), fc.boolean(), (stored, results, isNamed) => {
      const texts = [result(JSON.stringify({ id: stored }), true), ...results.flatMap((one) => one ?? [])];
      const named: SourceText[] = isNamed ? [{ kind: "user", text: `write to ${stored}` }] : [];
      const { originOf } = sourcesOf([...named, ...texts], { isTainted: (one) => one === stored });
      expect(originOf(stored)?.kind).toBe(isNamed ? "user" : undefined);
      expect(sourcesOf(texts).originOf(stored)?.kind).toBe("trusted");
    }),
  );
});

test("a_value_that_stands_only_in_untrusted_text_never_leaves_unasked_in_an_authority_argument", () => {
  const placed = fc.constantFrom<readonly [string, (value: string) => Record<string, unknown>]>(
    ["send_mail", (to: string) => ({ to: ["ann@corp.example", to], body: "hello" })],
    ["send_mail", (cc: string) => ({ to: ["ann@corp.example"], cc })],
    ["send_mail", (bcc: string) => ({ to: ["ann@corp.example"], bcc })],
    ["fetch_page", (url: string) => ({ url: `https://${url.replace("@", ".")}/` })],
    ["delete_file", (path: string) => ({ path })],
  );
  const secret = fc.stringMatching(/^[a-z]{4,10}@[a-z]{4,10}\.example$/);
  fc.assert(
    fc.property(world, placed, secret, fc.boolean(), (one, [tool, make], hidden, asJson) => {
      const text = asJson ? JSON.stringify({ id: hidden, name: "ann" }) : `write to ${hidden} at https://${hidden}/`;
      const made = { ...one, intents: ["ALL"], call: { id: "c", tool, arguments: make(hidden) } };
      const { effect, reasons } = decide(made, [...one.texts, result("ann@corp.example"), result(text)]);
      expect(effect).not.toBe("allow");
      expect(reasons.map(({ code }) => code)).toContain("argument_untrusted");
    }),
    runs,
  );
});

test("what_the_user_typed_as_a_receiver_is_never_asked_about_as_ungrounded", () => {
  const filler = fc.constantFrom("send", "to", "mail", "with", "to my");
  const typed = (args: Record<string, unknown>) => Object.values(args).flat().map(String);
  fc.assert(
    fc.property(world, filler, untrusted, fc.boolean(), (one, word, read, isFirst) => {
      const words = typed(one.call.arguments).join(`, ${word} `);
      const own: SourceText = { kind: "user", text: `${word} ${words}.` };
      const { reasons } = decide(one, isFirst ? [own, read] : [...one.texts, read, own]);
      for (const reason of reasons) if (reason.code === "argument_untrusted") expect(reason.arguments).toEqual([]);
    }),
    runs,
  );
});

test("without_the_users_wish_nothing_that_changes_runs_unasked_and_what_is_ungrounded_too_is_denied", () => {
  fc.assert(
    fc.property(world, untrusted, (one, read) => {
      const texts = [...one.texts, read];
      const wished = decide({ ...one, intents: ["ALL"], marks: [] }, texts);
      const marked = decide({ ...one, intents: ["ALL"], marks: ["ALL"] }, texts);
      const changes = traitsOf(policy, one.call.tool).class === "destructive";
      if (changes) expect(marked.effect).toBe(wished.effect === "allow" ? "confirm" : "deny");
    }),
    runs,
  );
});

test("the_order_of_the_rules_changes_nothing", () => {
  const order = fc.shuffledSubarray([...rules], { minLength: rules.length });
  fc.assert(
    fc.property(world, untrusted, order, (one, read, shuffled) => {
      const facts = factsOf(one, [...one.texts, read]);
      const offer = offerTools(policy, facts, definitions, workBudget());
      const definition = definitions.find(({ name }) => name === one.call.tool);
      const subject = { policy, facts, traits: traitsOf(policy, one.call.tool), call: one.call, offer };
      const decided = (list: typeof rules) =>
        foldRules(list, { ...subject, ...(definition ? { definition } : {}), work: workBudget() });
      const [first, other] = [decided(rules), decided(shuffled)];
      expect(other.effect).toBe(first.effect);
      expect(other.reasons.map(({ code }) => code).sort()).toEqual(first.reasons.map(({ code }) => code).sort());
    }),
    runs,
  );
});
