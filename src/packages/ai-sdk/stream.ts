/** A governed model's answer as a stream. */
import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import { NO_USAGE } from "./generate.ts";
import { type ModelTurn, runTurnOf } from "./run-model.ts";

type Part = LanguageModelV4StreamPart;

const FAILED: Part = { type: "finish", finishReason: { unified: "error", raw: undefined }, usage: NO_USAGE };

/** Resolves once the model has answered, and rejects if it does not. */
export function stream(turn: ModelTurn): Promise<LanguageModelV4StreamResult> {
  const { promise, resolve, reject } = Promise.withResolvers<LanguageModelV4StreamResult>();
  const gone = new AbortController();
  const outer = turn.params.abortSignal;
  const signal = outer ? AbortSignal.any([outer, gone.signal]) : gone.signal;
  let begun = false;
  let taken = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Part> | undefined;
  const readable = new ReadableStream<Part>(
    {
      start(own) {
        controller = own;
      },
      pull() {
        taken.resolve();
      },
      cancel() {
        gone.abort();
        taken.resolve();
      },
    },
    { highWaterMark: 64 },
  );
  const send = (parts: readonly Part[]): void => {
    if (signal.aborted) return;
    for (const part of parts) controller?.enqueue(part);
  };
  const done = runTurnOf(turn, {
    stream: true,
    signal,
    open: () => !signal.aborted,
    send,
    async ready() {
      if (signal.aborted || (controller?.desiredSize ?? 1) > 0) return;
      taken = Promise.withResolvers();
      await taken.promise;
    },
    begun() {
      if (begun) return;
      begun = true;
      resolve({ stream: readable });
    },
    failed(error) {
      if (!begun) reject(error);
      else send([{ type: "error", error }, FAILED]);
      begun = true;
    },
  });
  void done.then(() => {
    if (controller && !gone.signal.aborted) controller.close();
  });
  return promise;
}
