import { describe, expect, it } from "vitest";
import type { SettingVariables } from "../../src/settings/settings-table.ts";
import { noTelemetry, readTelemetry } from "../../src/settings/telemetry.ts";

const value = (variables: SettingVariables) => {
  const read = readTelemetry(variables);
  return read.ok ? read.value : undefined;
};
const errors = (variables: SettingVariables) => {
  const read = readTelemetry(variables);
  return read.ok ? [] : read.error;
};

describe("the settings of telemetry", () => {
  it("log turns and do nothing else, unless told", () => {
    expect(value({})).toEqual(noTelemetry);
    const empty = { LOG_LEVEL: "", METRICS: "", SERVER_TIMING: "0", OTEL_EXPORTER_OTLP_ENDPOINT: "" };
    expect(value(empty)).toEqual(noTelemetry);
  });

  it("read each variable", () => {
    expect(
      value({
        LOG_LEVEL: "WARN",
        METRICS: "1",
        METRICS_INTERVAL: "5s",
        SERVER_TIMING: "1",
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.example/base/?a=b",
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%2Cb%3D, X-Other = two words",
        OTEL_SERVICE_NAME: "gate",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
      }),
    ).toEqual({
      logLevel: "warn",
      metrics: { intervalMs: 5000 },
      serverTiming: true,
      traces: {
        url: "https://otel.example/base/v1/traces?a=b",
        headers: { "x-key": "a,b=", "x-other": "two words" },
        serviceName: "gate",
        ratio: 0.25,
      },
    });
  });

  it("tell every error at once, each by the variable's name, and no secret", () => {
    const found = errors({
      LOG_LEVEL: "loud",
      METRICS: "yes",
      METRICS_INTERVAL: "1m",
      METRICS_DATASET: "my turns",
      SERVER_TIMING: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://user:hunter2@host",
    });
    expect(found.map((error) => error.split(" ")[0])).toEqual([
      "METRICS",
      "METRICS_INTERVAL",
      "METRICS_DATASET:",
      "LOG_LEVEL",
      "SERVER_TIMING",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
    ]);
    expect(found.join()).not.toContain("hunter2");
  });

  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };
  it.each(["hunter2", "a b=hunter2", "k=%ZZhunter2", "k=hunter2\n", "=hunter2"])(
    "refuse a header list such as %j without citing it",
    (headers) => {
      const [error, ...more] = errors({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: `ok=1,${headers}` });
      if (headers === "k=hunter2\n") return expect(error).toBeUndefined();
      expect(error).toMatch(/^OTEL_EXPORTER_OTLP_HEADERS: pair 2 /);
      expect(error).not.toContain("hunter2");
      expect(more).toEqual([]);
    },
  );

  it.each(["1.5", "-0.1", "half", "NaN"])("refuse %s as a share of traces", (ratio) => {
    expect(errors({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: ratio })).toEqual([
      `OTEL_TRACES_SAMPLER_ARG is \`${ratio}\`: it must be a number from 0 to 1`,
    ]);
  });
});
