import { expect, it } from "vitest";
import { relayStream } from "../../src/model/relay-stream.ts";
import { startWatch } from "../../src/model/time-limit.ts";
import { newEnvelope } from "../../src/wire/envelope.ts";
import { chunk, sse } from "../support/sse.ts";

it("does not wait for a client that has yet to read an earlier step before its own first event: the time for that runs", async () => {
  const came: string[] = [];
  const pieces = [
    ": working\n\n",
    ": working\n\n",
    sse([chunk({ content: "a" })]),
    sse([chunk({}, { finish: "stop" })]),
  ];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) return controller.close();
        came.push(piece.slice(0, 1));
        controller.enqueue(new TextEncoder().encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
  const watch = startWatch({ connectMs: 9_000, firstByteMs: 9_000, idleMs: 9_000 }, new AbortController().signal, true);
  const paused = { ...watch, pause: () => void came.push("pause") };
  const words = {
    write: (text: string) => void came.push(`write ${text.slice(0, 1)}`),
    full: true,
    ready: async () => {},
    started: true,
  };
  const options = { words, envelope: newEnvelope(), adopt: true, watch: paused, onBegun() {} };
  const report = await relayStream(body, options, () => {});
  watch.stop();
  expect([report.fault, came]).toEqual([undefined, [":", ":", "d", "write d", "pause", "d", "pause"]]);
});
