import { describe, expect, it } from "vitest";
import { readEmbeddings } from "../../src/settings/embeddings.ts";
import type { SettingVariables } from "../../src/settings/settings-table.ts";
import { kindOfSetting } from "../../src/settings/settings-table.ts";

const read = (variables: SettingVariables, bound?: boolean) => {
  const result = readEmbeddings(variables, bound);
  return result.ok ? result.value : result.error.join("; ");
};

describe("the settings of the embedding model", () => {
  it("are none where none is set, or all are empty", () => {
    expect(read({})).toBeUndefined();
    expect(read({ EMBEDDINGS_BASE_URL: " ", EMBEDDINGS_API_KEY: "", EMBEDDINGS_MODEL: "" })).toBeUndefined();
  });

  it("name a server and its model", () => {
    const variables = { EMBEDDINGS_BASE_URL: " https://a.test/v1/ ", EMBEDDINGS_API_KEY: " k ", EMBEDDINGS_MODEL: "m" };
    expect(read(variables)).toEqual({ baseUrl: "https://a.test/v1", apiKey: "k", model: "m" });
  });

  it("name a model of Workers AI alone, where the deployment binds it", () => {
    const variables = { EMBEDDINGS_MODEL: "@cf/baai/bge-m3" };
    expect(read(variables)).toEqual({ baseUrl: undefined, apiKey: undefined, model: "@cf/baai/bge-m3" });
    expect(read(variables, false)).toContain("bind it as AI in wrangler.toml");
  });

  it.each<[string, SettingVariables, string]>([
    ["a URL that is none", { EMBEDDINGS_BASE_URL: "a.test", EMBEDDINGS_MODEL: "m" }, "EMBEDDINGS_BASE_URL is no URL"],
    [
      "a URL with a password, which is not told",
      { EMBEDDINGS_BASE_URL: "https://u:secret@a.test", EMBEDDINGS_MODEL: "m" },
      "EMBEDDINGS_BASE_URL holds a user or password",
    ],
    ["a server without a model", { EMBEDDINGS_BASE_URL: "https://a.test" }, "EMBEDDINGS_MODEL is not set"],
    ["a key alone", { EMBEDDINGS_API_KEY: "k" }, "EMBEDDINGS_MODEL is not set"],
    ["a model without a server", { EMBEDDINGS_MODEL: "small" }, "EMBEDDINGS_BASE_URL is not set"],
  ])("refuse %s", (_, variables, problem) => {
    expect(read(variables)).toContain(problem);
    expect(read(variables)).not.toContain("secret");
  });

  it("are plain, but for the key", () => {
    expect(kindOfSetting("EMBEDDINGS_BASE_URL")).toBe("plain");
    expect(kindOfSetting("EMBEDDINGS_MODEL")).toBe("plain");
    expect(kindOfSetting("EMBEDDINGS_API_KEY")).toBe("secret");
    expect(kindOfSetting("DETECTOR_MODEL")).toBe("plain");
    expect(kindOfSetting("PLANNER_MODEL")).toBe("plain");
  });
});
