import { expect, it } from "vitest";
import { nameProblems, settingTopics } from "../../../src/cli/docs/settings-page.ts";

it("has every setting, and nothing else", () => {
  expect(nameProblems(settingTopics)).toEqual([]);
});

it("notices a setting that it does not have, and one that does not exist", () => {
  const [first, ...others] = settingTopics;
  if (!first) throw new Error("no topic");
  expect(nameProblems(others)).toContainEqual("say what `UPSTREAM_BASE_URL` is for");
  const strange = { ...first, settings: [...first.settings, { name: "UPSTREAM_COLOUR", meaning: "", unset: "" }] };
  expect(nameProblems([strange, ...others])).toEqual(["`UPSTREAM_COLOUR` is no setting: remove it"]);
});
