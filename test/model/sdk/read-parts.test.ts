import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { readParts } from "../../../src/model/sdk/read-parts.ts";
import { startUpstreamDeadline } from "../../../src/model/upstream/time-limit.ts";
import type { StepRequest } from "../../../src/ports/model-port.ts";

it("the arguments of all calls count together, also of those that never end", async () => {
  const piece = "x".repeat(100 * 1024);
  const calls = Array.from({ length: 11 }, (_, at): LanguageModelV4StreamPart[] => [
    { type: "tool-input-start", id: `c${at}`, toolName: "f" },
    { type: "tool-input-delta", id: `c${at}`, delta: piece },
  ]);
  const limits = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };
  const watch = startUpstreamDeadline(limits, new AbortController().signal, true);
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of calls.flat()) controller.enqueue(part);
      controller.close();
    },
  });
  const report = await readParts(stream, {
    request: { stream: false, envelope: {} } as StepRequest,
    words: { full: false, ready: async () => {}, write() {} } as never,
    watch,
    now: () => 0,
    tellHead() {},
  });
  watch.stop();
  expect(report.fault?.detail).toContain("exceed");
});
