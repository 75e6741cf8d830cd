/** How a notice names what a question was about. */
import { describe, expect, it } from "vitest";
import { namedAct } from "../../../src/approvals/disclosure/named-act.ts";
import { languages } from "../../../src/lib/text/languages.ts";
import { approvalOf } from "../samples.ts";

type Sample = Parameters<typeof approvalOf>[1];

const named = (sample: Sample): string => namedAct(approvalOf("K7QF", sample));

describe("what a question was about", () => {
  it("is its title in each language: no question, or one between quotation marks", () => {
    const deletes = { traits: { name: "delete_file" }, arguments: { path: "old.txt" } };
    expect(languages.map((language) => named({ ...deletes, language }))).toEqual([
      "Delete `old.txt`",
      "删除 `old.txt`",
      "「`old.txt` を削除しますか？」",
      "`old.txt` löschen",
      "Eliminar `old.txt`",
      "Supprimer `old.txt`",
      "“`old.txt` 삭제할까요?”",
    ]);
  });

  it("is the policy's sentence without what it asks, and the values in it whole", () => {
    const of = (disclosure: string, language: "en" | "zh" = "en") =>
      named({ traits: { disclosure }, arguments: { path: "Is it. Really?" }, language });
    expect(of("This saves {{path}}.")).toBe("This saves `Is it. Really?`");
    expect(of("This saves {{path}}. Shall I save it?")).toBe("This saves `Is it. Really?`");
    expect(of("保存 {{path}}。", "zh")).toBe("保存 `Is it. Really?`");
  });
});
