import { describe, expect, it } from "vitest";
import { misspeltSettings } from "../../src/settings/setting-warnings.ts";
import { kindOfSetting, settingNames } from "../../src/settings/settings-table.ts";

describe("a misspelt setting", () => {
  it.each([
    ["UPSTREAM_BASEURL", "UPSTREAM_BASE_URL"],
    ["UPSTREAM_APIKEY", "UPSTREAM_API_KEY"],
    ["UPSTREAM_1_BASE_URL", "UPSTREAM_BASE_URL"],
    ["upstream_base_url", "UPSTREAM_BASE_URL"],
    ["TOOLGATE_POLCY", "TOOLGATE_POLICY"],
    ["TOOL_SECRET", "TOOL_SECRETS"],
    ["JWT_ISSUER", "JWT_ISSUERS"],
    ["CORS_ORIGIN", "CORS_ORIGINS"],
    ["WEBHOOK", "WEBHOOKS"],
    ["OTEL_EXPORTER_OTLP_HEADER", "OTEL_EXPORTER_OTLP_HEADERS"],
  ])("%s is told with what was meant", (name, meant) => {
    expect(misspeltSettings([name])).toEqual([`${name} is no setting and is not read: did you mean ${meant}?`]);
  });

  it("with a prefix of ours is told also where nothing is near", () => {
    expect(misspeltSettings(["UPSTREAM_REGION", "TOOLGATE_COLOUR"])).toEqual([
      "TOOLGATE_COLOUR is no setting and is not read",
      "UPSTREAM_REGION is no setting and is not read",
    ]);
  });

  it("is none of the settings, nor another program's variable", () => {
    const others = [
      ...["OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_TRACES_EXPORTER", "OTEL_TRACES_SAMPLER"],
      ...[
        "OTEL_SDK_DISABLED",
        "OTEL_RESOURCE_ATTRIBUTES",
        "OTEL_PROPAGATORS",
        "OTEL_LOG_LEVEL",
        "LOG_FORMAT",
        "MAX_JOBS",
      ],
      ...["PATH", "HOME", "PWD", "OLDPWD", "NODE_ENV", "PORTAGE", "JWT_SECRET", "SERVER_NAME", "KEY_FILE", "LOGNAME"],
      ...["TOOLGATE_DEV", "TOOLGATE_DATA", "TOOLGATE_LAW_SEED", "TOOLGATE_STATE", "TOOLGATE_KEY", "PORT", "SECRET_CRM"],
    ];
    expect(misspeltSettings([...settingNames, ...others])).toEqual([]);
  });
});

it("every setting is plain or secret", () => {
  expect(settingNames.filter((name) => kindOfSetting(name) === undefined)).toEqual([]);
  expect(["UPSTREAM_9_API_KEY", "UPSTREAM_10_API_KEY", "SECRET_A"].map(kindOfSetting)).toEqual([
    "secret",
    undefined,
    "secret",
  ]);
});
