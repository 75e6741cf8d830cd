import { expect, it } from "vitest";
import { spokenActs } from "../../../src/lib/acts/act-words.ts";
import { nameVerb, unspacedVerbs } from "../../../src/lib/acts/verbs-in-names.ts";

const EFFECTS = ["destroy", "commit", "pay", "access", "send", "deliver", "change", "create", "read", "execute"];
const ACTS = "cancel delete send pay refund book move update create run stop copy reject undo publish".split(" ");

it("each line of spoken words has words, and names effects and acts that there are", () => {
  for (const { act, group, effects, stems, inMessages, orders } of spokenActs()) {
    expect(EFFECTS).toEqual(expect.arrayContaining([...effects]));
    if (act !== undefined) expect(ACTS).toContain(act);
    expect(stems.length + inMessages.length).toBeGreaterThan(0);
    if (group === undefined) expect(orders).toEqual([]);
    for (const word of [...stems, ...inMessages, ...orders]) expect(word).toMatch(/^[=~]?[^\s<>!:]/u);
  }
});

it("a verb of names is found with its effects, in each spelling and as often a noun", () => {
  expect(nameVerb("merge")).toEqual({ calls: ["commit"], draft: "change", nounIn: "neither", isForeign: false });
  expect(nameVerb("run")?.nounIn).toBe("drafts");
  expect(nameVerb("replace")?.nounIn).toBe("calls");
  expect(nameVerb("update")?.nounIn).toBe("both");
  for (const word of ["löschen", "loeschen", "loschen"])
    expect(nameVerb(word)).toMatchObject({ calls: ["destroy"], draft: "destroy", isForeign: true });
  expect(nameVerb("constructor")).toBeUndefined();
  expect(unspacedVerbs("查询订单并发送").map(({ verb, draft }) => [verb, draft])).toEqual([
    ["查询", "read"],
    ["发送", "send"],
  ]);
});
