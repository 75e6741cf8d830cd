/** What the gateway writes to the console while a test runs. */
import { onTestFinished, vi } from "vitest";

export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

export interface CapturedLog {
  /** Every line, of every level, as it was written. */
  readonly text: () => string;
  readonly lines: (event: string) => LogLine[];
}

export function captureLog(): CapturedLog {
  const written: string[] = [];
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  for (const method of ["debug", "log", "info", "warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      written.push(values.map(String).join(" "));
    });
  }
  return {
    text: () => written.join("\n"),
    lines: (event) =>
      written.map((line) => JSON.parse(line) as LogLine).filter((line) => line.event === event || event === "*"),
  };
}
