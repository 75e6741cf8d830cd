import { expect, it } from "vitest";
import { readerLanguage } from "../../../src/http/user/reader-language.ts";
import { policyOf } from "../../support/policy.ts";

const policyWith = (language: string) => policyOf({ confirmation: { language } });
const read = (language: string, accepted?: string) =>
  readerLanguage(policyWith(language), new Headers(accepted === undefined ? {} : { "accept-language": accepted }));

it.each([
  [undefined, "en"],
  ["", "en"],
  ["ja", "ja"],
  ["ja-JP,ja;q=0.9,en;q=0.8", "ja"],
  ["fr-FR, ZH-Hant;q=0.5", "fr"],
  ["it-IT, ZH-Hant;q=0.5", "zh"],
  ["jam, jaa", "en"],
  ["*", "en"],
  [`${"xx,".repeat(200)}ja`, "en"],
])("reads `%s` as %s", (accepted, language) => {
  expect(read("auto", accepted)).toBe(language);
});

it("is the policy's own where the reader tells none that ships", () => {
  expect(read("zh", "ja")).toBe("ja");
  expect(read("zh", "it")).toBe("zh");
  expect(read("zh")).toBe("zh");
});
