import { describe, expect, it } from "vitest";
import { readProviders } from "../../src/settings/providers.ts";
import { misspeltSettings } from "../../src/settings/setting-warnings.ts";
import type { SettingVariables } from "../../src/settings/settings-table.ts";
import { kindOfSetting } from "../../src/settings/settings-table.ts";
import { readUpstreams } from "../../src/settings/upstream.ts";

const read = (variables: SettingVariables) => {
  const settings = readProviders(variables);
  if (!settings.ok) throw new Error(settings.error.join("; "));
  return settings.value;
};
const errors = (variables: SettingVariables): readonly string[] => {
  const settings = readProviders(variables);
  return settings.ok ? [] : settings.error;
};
const named = (given: object) => ({ UPSTREAM_PROVIDERS: JSON.stringify(given) });

describe("providers by name", () => {
  it("are none unless they are set", () => {
    expect(read({})).toEqual({ targets: [], routes: new Map() });
    expect(read({ UPSTREAM_PROVIDERS: " ", UPSTREAM_ROUTES: "" })).toEqual({ targets: [], routes: new Map() });
  });

  it("have the protocol and the place that their name says, else those that are given", () => {
    const given = { anthropic: {}, google: {}, openai: {}, "fast-1": { baseUrl: "https://fast.test/v1//" } };
    const { targets } = read({ ...named(given), UPSTREAM_FAST_1_API_KEY: " k1 ", UPSTREAM_GOOGLE_API_KEY: "k2" });
    expect(targets).toEqual([
      {
        baseUrl: "https://api.anthropic.com/v1",
        apiKey: undefined,
        provider: { name: "anthropic", kind: "anthropic" },
      },
      {
        baseUrl: "https://generativelanguage.googleapis.com/v1beta",
        apiKey: "k2",
        provider: { name: "google", kind: "google" },
      },
      { baseUrl: "https://api.openai.com/v1", apiKey: undefined, provider: { name: "openai", kind: "openai" } },
      { baseUrl: "https://fast.test/v1", apiKey: "k1", provider: { name: "fast-1", kind: "openai" } },
    ]);
    const proxy = { claude: { kind: "anthropic", baseUrl: "https://proxy.test/v1" } };
    expect(read(named(proxy)).targets[0]).toMatchObject({
      baseUrl: "https://proxy.test/v1",
      provider: { name: "claude", kind: "anthropic" },
    });
  });

  it.each([
    [{ Groq: {} }, "UPSTREAM_PROVIDERS: `Groq` must be 1 to 32 small letters"],
    [{ "a/b": {} }, "UPSTREAM_PROVIDERS: `a/b` must be 1 to 32 small letters"],
    [{ groq: {} }, "UPSTREAM_PROVIDERS: groq.baseUrl is missing"],
    [{ groq: { baseUrl: "ftp://x.test" } }, "UPSTREAM_PROVIDERS: groq.baseUrl begins with `ftp:`"],
    [{ groq: { kind: "bedrock" } }, "UPSTREAM_PROVIDERS: groq.kind: must be one of `openai`, `responses`"],
    [{ anthropic: { apiKey: "sk-secret" } }, "UPSTREAM_PROVIDERS: anthropic: has no `apiKey`"],
    [{ constructor: {} }, "UPSTREAM_PROVIDERS: constructor.baseUrl is missing"],
    [[], "UPSTREAM_PROVIDERS must be an object, not a list"],
  ])("cannot be %j", (given, error) => {
    const told = errors(named(given));
    expect(told[0]).toContain(error);
    expect(told.join()).not.toContain("sk-secret");
  });

  it("need the binding where they are Workers AI without a URL", () => {
    const unbound = readProviders(named({ "workers-ai": {} }), false);
    expect(unbound.ok ? [] : unbound.error).toEqual([
      expect.stringContaining("UPSTREAM_PROVIDERS: workers-ai needs Workers AI"),
    ]);
    expect(readProviders(named({ "workers-ai": {} }), true).ok).toBe(true);
    const rest = { "workers-ai": { baseUrl: "https://api.cloudflare.com/client/v4/accounts/a/ai/v1" } };
    expect(readProviders(named(rest), false).ok).toBe(true);
  });

  it("stand behind the numbered upstreams, and suffice where there are none", () => {
    const both = readUpstreams({ UPSTREAM_BASE_URL: "https://one.test/v1", ...named({ anthropic: {} }) });
    expect(both.ok && both.value.targets.map(({ provider }) => provider?.name)).toEqual([undefined, "anthropic"]);
    const alone = readUpstreams(named({ anthropic: {} }));
    expect(alone.ok && alone.value.targets.length).toBe(1);
  });
});

describe("routes of models", () => {
  it("are names in their order", () => {
    const { routes } = read({ UPSTREAM_ROUTES: '{"smart":["anthropic/a","gpt"],"x":["y"]}' });
    expect([...routes]).toEqual([
      ["smart", ["anthropic/a", "gpt"]],
      ["x", ["y"]],
    ]);
  });

  it.each(['{"a":[]}', '{"a":"b"}', '{"a":[""]}', "[]", "x", `{"a":${JSON.stringify(Array(9).fill("b"))}}`])(
    "cannot be %s",
    (UPSTREAM_ROUTES) => expect(errors({ UPSTREAM_ROUTES })).toHaveLength(1),
  );
});

it("their variables are settings, and the keys are secret", () => {
  const names = ["UPSTREAM_PROVIDERS", "UPSTREAM_ROUTES", "UPSTREAM_ANTHROPIC_API_KEY", "UPSTREAM_FAST_1_API_KEY"];
  expect(names.map(kindOfSetting)).toEqual(["plain", "plain", "secret", "secret"]);
  expect(misspeltSettings(["UPSTREAM_PROVIDER"])).toEqual([
    "UPSTREAM_PROVIDER is no setting and is not read: did you mean UPSTREAM_PROVIDERS?",
  ]);
});
