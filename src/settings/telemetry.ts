/** Settings of the log, metrics, traces and timings. Pure. */
import { type LogLevel, logLevels } from "../lib/log.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { parseDuration, SECOND_MS } from "../lib/time.ts";
import type { SettingVariables } from "./settings-table.ts";

export interface TelemetrySettings {
  readonly logLevel: LogLevel | "off";
  /** Undefined: nothing is counted. */
  readonly metrics: { readonly intervalMs: number } | undefined;
  readonly serverTiming: boolean;
  /** Undefined: nothing is traced, and the tracing code is not loaded. */
  readonly traces: TraceSettings | undefined;
}

export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly ratio: number;
}

export const noTelemetry: TelemetrySettings = {
  logLevel: "info",
  metrics: undefined,
  serverTiming: false,
  traces: undefined,
};

/** The runtime ends background work after 30 s. */
const MAX_INTERVAL_S = 20;

export function readTelemetry(variables: SettingVariables): Result<TelemetrySettings, readonly string[]> {
  const errors: string[] = [];
  const read = <T>(result: Result<T, string>, otherwise: T): T => {
    if (result.ok) return result.value;
    errors.push(result.error);
    return otherwise;
  };
  const metrics = read(readSwitch("METRICS", variables.METRICS), false);
  const intervalMs = read(readInterval(variables.METRICS_INTERVAL), 0);
  const { METRICS_DATASET: dataset } = variables;
  if (dataset && !/^[A-Za-z]\w{0,62}$/.test(dataset))
    errors.push("METRICS_DATASET: write a name of letters, digits and `_`, such as `toolgate_turns`");
  const settings: TelemetrySettings = {
    logLevel: read(readLogLevel(variables.LOG_LEVEL), "info"),
    metrics: metrics ? { intervalMs } : undefined,
    serverTiming: read(readSwitch("SERVER_TIMING", variables.SERVER_TIMING), false),
    traces: read(readTraces(variables), undefined),
  };
  return errors.length > 0 ? err(errors) : ok(settings);
}

function readLogLevel(text: string | undefined): Result<LogLevel | "off", string> {
  const level = logLevels.find((known) => known === (text || "info").toLowerCase());
  return level ? ok(level) : err(`LOG_LEVEL is \`${text}\`: it must be debug, info, warn, error or off`);
}

function readSwitch(name: string, text: string | undefined): Result<boolean, string> {
  if (!text || text === "0") return ok(false);
  return text === "1" ? ok(true) : err(`${name} is \`${text}\`: it must be 1 or 0`);
}

function readInterval(text: string | undefined): Result<number, string> {
  const ms = parseDuration(text || "10s");
  return ms !== undefined && ms <= MAX_INTERVAL_S * SECOND_MS
    ? ok(ms)
    : err(`METRICS_INTERVAL is \`${text}\`: it must be 0s to ${MAX_INTERVAL_S}s`);
}

function readTraces(variables: SettingVariables): Result<TraceSettings | undefined, string> {
  const endpoint = variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return ok(undefined);
  // It may hold a password, so it is not cited.
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    return err("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, such as https://collector.example:4318");
  const { username, password } = new URL(endpoint);
  // The variable is no secret, and no request can be made to such a URL.
  if (username !== "" || password !== "")
    return err("OTEL_EXPORTER_OTLP_ENDPOINT holds a user or password: it belongs into OTEL_EXPORTER_OTLP_HEADERS");
  const headers = readHeaders(variables.OTEL_EXPORTER_OTLP_HEADERS ?? "");
  if (!headers.ok) return headers;
  const ratio = Number(variables.OTEL_TRACES_SAMPLER_ARG || "1");
  if (!(ratio >= 0 && ratio <= 1))
    return err(`OTEL_TRACES_SAMPLER_ARG is \`${variables.OTEL_TRACES_SAMPLER_ARG}\`: it must be a number from 0 to 1`);
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  const serviceName = variables.OTEL_SERVICE_NAME || "toolgate";
  return ok({ url: url.href, headers: headers.value, serviceName, ratio });
}

/** A secret: an error names the place, not the text. */
function readHeaders(text: string): Result<Readonly<Record<string, string>>, string> {
  const headers = new Headers();
  for (const [index, pair] of text
    .split(",")
    .filter((part) => part.trim() !== "")
    .entries()) {
    try {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(pair.trim()) ?? [];
      if (name === undefined || value === undefined) throw new TypeError("not a pair");
      headers.append(decodeURIComponent(name.trim()), decodeURIComponent(value.trim()));
    } catch {
      return err(
        `OTEL_EXPORTER_OTLP_HEADERS: pair ${index + 1} is no \`name=value\` of a header (percent-encode what is special)`,
      );
    }
  }
  return ok(Object.fromEntries(headers));
}
