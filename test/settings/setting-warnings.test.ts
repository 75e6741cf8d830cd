import { describe, expect, it } from "vitest";
import { lineWarnings, settingWarnings } from "../../src/settings/setting-warnings.ts";

const issuer = "https://id.example/";
const signIn = { CONSOLE_OIDC: JSON.stringify({ issuer, client_id: "console" }) };
const issuers = (entry: object) => ({
  JWT_ISSUERS: JSON.stringify([
    { issuer, audience: "console", jwks: "https://id.example/keys", tenant: "t", ...entry },
  ]),
});

describe("a setting without effect", () => {
  it.each<readonly [Record<string, string>, string]>([
    [{ SECRET_CRM: "hunter2" }, "SECRET_CRM is not used: TOOL_SECRETS does not name `CRM`"],
    [{ UPSTREAM_GROQ_API_KEY: "hunter2" }, "UPSTREAM_GROQ_API_KEY is not used"],
    [{ PUSH_HOSTS: "https://hunter2" }, "PUSH_HOSTS is not used: VAPID_PUBLIC_KEY is not set"],
    [{ OTEL_TRACES_SAMPLER_ARG: "2" }, "OTEL_TRACES_SAMPLER_ARG is not used"],
    [{ METRICS_INTERVAL: "5s" }, "METRICS_INTERVAL is not used: METRICS is not set"],
    [
      { UPSTREAM_BASE_URL: "https://a.example/v1/chat/completions" },
      "UPSTREAM_BASE_URL ends with the path of one call",
    ],
    [{ UPSTREAM_2_API_KEY: "Bearer hunter2" }, "UPSTREAM_2_API_KEY begins with `Bearer`"],
    [signIn, "JWT_ISSUERS has no entry with its `issuer`"],
    [{ ...signIn, ...issuers({ issuer: "https://other.example/" }) }, "JWT_ISSUERS has no entry with its `issuer`"],
    [{ ...signIn, ...issuers({ audience: "api" }) }, "no entry of JWT_ISSUERS has its `client_id`"],
  ])("%o is named, without its value", (values, message) => {
    const warnings = settingWarnings(values);
    expect(warnings).toEqual([expect.stringContaining(message)]);
    expect(warnings.join()).not.toContain("hunter2");
  });

  it("is none that another setting makes use of", () => {
    const values = {
      UPSTREAM_BASE_URL: "https://a.example/v1",
      UPSTREAM_API_KEY: "sk-bearer",
      UPSTREAM_PROVIDERS: '{"groq":{"baseUrl":"https://g.example/v1"}}',
      UPSTREAM_GROQ_API_KEY: "k",
      TOOL_SECRETS: '{"CRM":{"tenants":["*"],"hosts":["crm.example.com"]}}',
      SECRET_CRM: "s",
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example",
      OTEL_TRACES_SAMPLER_ARG: "0.1",
      ...signIn,
      ...issuers({ issuer: "https://id.example" }),
    };
    expect(settingWarnings(values)).toEqual([]);
    expect(settingWarnings({ ...signIn, TENANT_SETTINGS: "1" })).toEqual([]);
  });
});

it("of a file, lines that are none and names that are there twice are named", () => {
  const text = `# a comment
A=1

export B='[
  { "C": 1 }
]'
UPSTREAM_API_KEY sk-hunter2
A = 2
`;
  expect(lineWarnings(".dev.vars", text)).toEqual([
    ".dev.vars: line 7 is no `NAME=value` and is not read",
    ".dev.vars: A is there twice (lines 2 and 8): the last counts",
  ]);
});
