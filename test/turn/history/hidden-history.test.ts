import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/lib/json/json-value.ts";
import type { HiddenExchange } from "../../../src/ports/turns/hidden-exchange.ts";
import { formerAnchor } from "../../../src/stores/guard/compat/former-anchor.ts";
import { placeExchanges } from "../../../src/turn/history/hidden-history.ts";
import { retainedExchanges } from "../../../src/turn/history/retained-results.ts";
import { policyOf } from "../../support/policy.ts";

const policy = policyOf({});

const user = (content: unknown): JsonObject => ({ role: "user", content });
const says = (content: string): JsonObject => ({ role: "assistant", content });
const exchange = (id: string, content = "found"): JsonObject[] => [
  { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: "find" } }] },
  { role: "tool", tool_call_id: id, content },
];

/** What a turn with this answer retains, its call named by `id`. */
const retains = (messages: readonly JsonObject[], text: string, id: string): readonly HiddenExchange[] =>
  retainedExchanges(messages, { calls: [], text }, [exchange(id)], [`dec_${id}`]);

/** In short: the words of each message, or the id that its calls and results have. */
const outline = (messages: readonly JsonObject[], hidden: readonly HiddenExchange[]): unknown[] =>
  (placeExchanges(policy, messages, hidden) as JsonObject[]).map(
    ({ content, tool_calls: calls, tool_call_id: id }) =>
      id ?? (calls as { id: string }[] | undefined)?.[0]?.id ?? content,
  );

const partsOf = ([message]: readonly JsonObject[]) => [{ type: "text", text: message?.content }];
const asked = [user("what is there?")];
const later = [...asked, says("a lead"), user("thanks")];

describe("exchanges that outlast their task", () => {
  it("stand before the answer that they led to, however the client spaces its words or sends its parts", () => {
    const hidden = retains(asked, "a  lead\n", "x");
    expect(outline(later, hidden)).toEqual(["what is there?", "x", "x", "a lead", "thanks"]);
    const parts = [user([{ type: "text", text: "what is there?" }]), ...later.slice(1)];
    expect(outline(parts, hidden).slice(1, 3)).toEqual(["x", "x"]);
    expect(outline([{ role: "system", content: "today" }, ...later], hidden)).toContain("x");
    const reminded = [user([{ type: "text", text: "<system-reminder>noon</system-reminder>" }, ...partsOf(asked)])];
    expect(outline([...reminded, ...later.slice(1)], hidden)).toContain("x");
  });

  it.each([
    ["another answer", [...asked, says("two leads"), user("thanks")]],
    ["another question", [user("what else?"), says("a lead"), user("thanks")]],
    ["another answer before it", [user("hi"), says("ho"), ...later]],
    ["nothing but the question", asked],
  ])("stay out where the request has %s", (_, messages) => {
    expect(outline(messages, retains(asked, "a lead", "x"))).not.toContain("x");
  });

  it("each stand before their own, where answers read the same", () => {
    const again = [...asked, says("a lead"), ...asked, says("a lead"), ...asked];
    const hidden = [
      ...retains(asked, "a lead", "x"),
      ...retains(again.slice(0, 3), "a lead", "y"),
      ...retains(again, "a lead", "z"),
    ];
    const all = [...again, says("a lead"), user("thanks")];
    expect(outline(all, hidden)).toEqual([
      ...["what is there?", "x", "x", "a lead"],
      ...["what is there?", "y", "y", "a lead"],
      ...["what is there?", "z", "z", "a lead", "thanks"],
    ]);
    // Of the two that read alike one answer had none: the other's is not taken for it.
    expect(outline(all, hidden.slice(2)).filter((one) => one === "z").length).toBe(2);
    expect(outline(all, hidden.slice(2)).indexOf("z")).toBe(5);
  });

  it("give way to the task's own exchange before the same message", () => {
    const retained = retainedExchanges(asked, { calls: ["c"], text: "" }, [exchange("x")], ["dec_x"]);
    const anchor = { kind: "calls" as const, ids: ["c"], codes: [], position: 0 };
    const ofTask = { anchor, messages: exchange("t") };
    const continued = [...asked, ...exchange("c")];
    expect(outline(continued, retained)).toEqual(["what is there?", "x", "x", "c", "c"]);
    expect(outline(continued, [ofTask, ...retained])).toEqual(["what is there?", "t", "t", "c", "c"]);
  });

  it("of two for the same message the later stands: the first one's reply never arrived", () => {
    const hidden = [...retains(asked, "a lead", "x"), ...retains(asked, "a lead", "y")];
    expect(outline(later, hidden)).toEqual(["what is there?", "y", "y", "a lead", "thanks"]);
  });

  it("are cut to what a session keeps of one, and left out where even the calls are too long", () => {
    const long = [exchange("x", "ß".repeat(40_000)), exchange("y", "short")];
    const [first, second] = retainedExchanges(asked, { calls: [], text: "a lead" }, long, []);
    const bytes = new TextEncoder().encode(JSON.stringify(first?.messages)).length;
    expect([bytes > 30_000, bytes <= 32 * 1024]).toEqual([true, true]);
    expect(second?.messages).toEqual(exchange("y", "short"));
    const huge = exchange("z".repeat(20_000), "x");
    expect(retainedExchanges(asked, { calls: [], text: "a lead" }, [huge], [])).toEqual([]);
  });
});

describe("an anchor that an earlier version stored", () => {
  it("is read as what it says now", () => {
    expect(formerAnchor(["call_1", "before K7QF"], 2, false)).toEqual({
      kind: "calls",
      ids: ["call_1"],
      codes: ["K7QF"],
      position: 2,
    });
    expect(formerAnchor(["into K7QF", "the task's beginning"], 0, false)).toEqual({
      kind: "refusals",
      codes: ["K7QF"],
    });
    const [exchanged] = retains(asked, "a lead", "x");
    const { digest = "", position = 0 } = { ...exchanged?.anchor } as { digest?: string; position?: number };
    expect(formerAnchor([`said ${digest}`, "ran dec_x"], position, true)).toEqual(exchanged?.anchor);
    expect(formerAnchor([`asked ${digest}`], 1, true)).toEqual({ kind: "request", digest, position: 1, runs: [] });
  });
});
