import { describe, expect, it } from "vitest";
import type { SettingVariables } from "../../src/settings/settings-table.ts";
import { readUpstreams } from "../../src/settings/upstream.ts";
import { DEFAULT_LIMITS } from "../../src/settings/upstream-target.ts";

const first = { UPSTREAM_BASE_URL: "https://one.test/v1" };
const read = (variables: SettingVariables) => {
  const settings = readUpstreams(variables);
  if (!settings.ok) throw new Error(settings.error.join("; "));
  return settings.value;
};
const errors = (variables: SettingVariables): readonly string[] => {
  const settings = readUpstreams(variables);
  return settings.ok ? [] : settings.error;
};

describe("the upstreams", () => {
  it("are at least one, without timeouts and retries unless they are set", () => {
    const targets = [{ baseUrl: "https://one.test/v1", apiKey: undefined, model: undefined }];
    expect(read(first)).toEqual({ targets, routes: new Map(), limits: DEFAULT_LIMITS, retries: 2 });
    for (const none of [{}, { UPSTREAM_BASE_URL: " ", UPSTREAM_API_KEY: "k", UPSTREAM_MODEL: "m" }])
      expect(errors(none)).toEqual([expect.stringMatching(/^UPSTREAM_BASE_URL is not set: write /)]);
  });

  it("are in the order of their numbers, each with its own key and model", () => {
    const { targets } = read({
      UPSTREAM_3_BASE_URL: "http://127.0.0.1:11434/v1/",
      UPSTREAM_BASE_URL: " https://one.test/v1// ",
      UPSTREAM_API_KEY: "k1",
      UPSTREAM_2_BASE_URL: "https://two.test/openai",
      UPSTREAM_2_API_KEY: "k2",
      UPSTREAM_2_MODEL: "m2",
    });
    expect(targets).toEqual([
      { baseUrl: "https://one.test/v1", apiKey: "k1", model: undefined },
      { baseUrl: "https://two.test/openai", apiKey: "k2", model: "m2" },
      { baseUrl: "http://127.0.0.1:11434/v1", apiKey: undefined, model: undefined },
    ]);
  });

  it("are told of every error at once, each by its variable", () => {
    expect(
      errors({
        UPSTREAM_BASE_URL: "ftp://one.test",
        UPSTREAM_3_BASE_URL: "https://three.test?v=1",
        UPSTREAM_5_API_KEY: "secret",
        UPSTREAM_6_MODEL: "m",
        UPSTREAM_IDLE_TIMEOUT: "30",
        UPSTREAM_CONNECT_TIMEOUT: "0s",
        UPSTREAM_FIRST_BYTE_TIMEOUT: "2h",
        UPSTREAM_RETRIES: "6",
      }).map((error) => /^UPSTREAM_\w+/.exec(error)?.[0]),
    ).toEqual([
      "UPSTREAM_BASE_URL",
      "UPSTREAM_2_BASE_URL",
      "UPSTREAM_3_BASE_URL",
      "UPSTREAM_5_BASE_URL",
      "UPSTREAM_6_BASE_URL",
      "UPSTREAM_CONNECT_TIMEOUT",
      "UPSTREAM_FIRST_BYTE_TIMEOUT",
      "UPSTREAM_IDLE_TIMEOUT",
      "UPSTREAM_RETRIES",
    ]);
  });

  it.each(["nonsense", "//one.test", "https://user:hunter2@one.test/v1", "https://one.test/v1#a", "file:///etc"])(
    "cannot be at `%s`, and a password in it is not told",
    (url) => {
      const [error, ...others] = errors({ UPSTREAM_BASE_URL: url });
      expect([error?.startsWith("UPSTREAM_BASE_URL "), others]).toEqual([true, []]);
      expect(error).not.toContain("hunter2");
    },
  );

  it("never have a key told in an error", () => {
    const told = errors({ UPSTREAM_2_API_KEY: "sk-secret", UPSTREAM_RETRIES: "-1" }).join();
    expect(told).toContain("UPSTREAM_2_BASE_URL is not set, but UPSTREAM_2_API_KEY is");
    expect(told).not.toContain("sk-secret");
  });

  it("are waited for and asked again as the settings say", () => {
    const { limits, retries } = read({
      ...first,
      UPSTREAM_CONNECT_TIMEOUT: "500ms",
      UPSTREAM_FIRST_BYTE_TIMEOUT: "10m",
      UPSTREAM_IDLE_TIMEOUT: "1h",
      UPSTREAM_RETRIES: "0",
    });
    expect([limits, retries]).toEqual([{ connectMs: 500, firstByteMs: 600_000, idleMs: 3600_000 }, 0]);
    for (const bad of ["1.5", "", "two", "10"].filter((text) => text !== "")) {
      expect(errors({ ...first, UPSTREAM_RETRIES: bad })).toHaveLength(1);
    }
  });
});
