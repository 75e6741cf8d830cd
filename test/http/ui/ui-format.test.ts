import { asSchema, readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from "ai";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EndingContext, ReplyFormat } from "../../../src/http/surface/surface.ts";
import { uiFormat } from "../../../src/http/ui/ui-format.ts";
import { readUiMessages } from "../../../src/http/ui/ui-messages.ts";
import type { Ending } from "../../../src/ports/turns/ending.ts";
import { newEnvelope } from "../../../src/wire/envelope.ts";
import { chunk, readSse, sse } from "../../support/sse.ts";

const envelope = newEnvelope("m");
const context = (note: object = {}): EndingContext => ({
  ...{ envelope, note: note as EndingContext["note"], usage: undefined, includeUsage: true, several: false },
  ...{ jsonMode: false, spoken: true, preface: "", now: 0 },
});

/** What happens in a turn, as the reply's adapter tells the format. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: fc.string() }),
  fc.record({ kind: fc.constant("reasoning" as const), text: fc.string() }),
  fc.record({ kind: fc.constant("own" as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant("run" as const), text: fc.constantFrom("succeeded" as const, "failed" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function written(format: ReplyFormat, { kind, text }: Step, at: number): string {
  if (kind === "text") return format.words?.(sse([chunk({ content: text })]), envelope) ?? "";
  if (kind === "reasoning") return format.words?.(sse([chunk({ reasoning_content: text })]), envelope) ?? "";
  if (kind === "own") return format.ownWords(envelope, text, 0);
  const run = { id: `dec_${at}`, callId: "c", tool: "t", arguments: {}, status: text, failure: null, ms: 1 } as const;
  return format.runs?.([run]) ?? "";
}

const ending = (calls: readonly string[]): Exclude<Ending, { kind: "error" }> => ({
  kind: "answer",
  stopReason: "completed",
  step: undefined,
  calls: calls.map((id) => ({ id, tool: "erase", arguments: '{"path":"/"}', extra: undefined })),
});

/** As the SDK reads it: each event by its schema, the message by its reader. */
async function messageOf(text: string): Promise<UIMessage> {
  const schema = asSchema(uiMessageChunkSchema);
  const events = (await readSse(text)).flatMap(({ json }) => (json === undefined ? [] : [json]));
  for (const event of events) expect(await schema.validate?.(event)).toMatchObject({ success: true });
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const event of events) controller.enqueue(event as UIMessageChunk);
      controller.close();
    },
  });
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message;
  if (!last) throw new Error("there is no message");
  return last;
}

describe("a UI message stream", () => {
  it("the_sdk_reads_every_stream_and_its_text_comes_back_as_one_message", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.uniqueArray(fc.string({ minLength: 1 })),
        async (steps, calls) => {
          const format = uiFormat(new Map(), new Set(["erase"]));
          const body = steps.map((one, at) => written(format, one, at)).join("");
          const text = body + (await format.ending(ending(calls), context()));
          expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
          const message = await messageOf(text);
          const parts = message.parts.map((part) =>
            "toolCallId" in part && calls.includes(part.toolCallId) && !part.providerExecuted
              ? { ...part, state: "output-available", output: "done" }
              : part,
          );
          const read = readUiMessages([{ id: "m", role: "assistant", parts }]);
          const said = steps
            .flatMap(({ kind, text: words }) => (kind === "text" || kind === "own" ? [words] : []))
            .join("");
          // What a chat client would keep as one message, and the results behind it; nothing of what ran in the gateway.
          const messages = read.ok ? read.value.messages : [];
          expect(messages.map(({ role, content }) => [role, content ?? ""])).toEqual(
            said === "" && calls.length === 0 ? [] : [["assistant", said], ...calls.map(() => ["tool", "done"])],
          );
        },
      ),
    );
  });

  it("no_input_leaves_before_the_ending", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.constantFrom("ended", "failed"), (steps, how) => {
        const format = uiFormat(new Map(), new Set(["erase"]));
        const body = steps.map((one, at) => written(format, one, at)).join("");
        expect(body).not.toContain('"providerExecuted":false');
        if (how === "ended") return;
        const failed = format.error({ message: "broken" }, envelope);
        expect([failed.includes('"type":"error"'), /finish"|DONE/.test(failed)]).toEqual([true, false]);
      }),
    );
  });
});
