import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventStream } from "../../src/http/event-stream.ts";
import { setLogLevel } from "../../src/lib/log.ts";
import { serverEvent } from "../../src/wire/write-event.ts";

// Other files of the process may have turned it off.
beforeEach(() => setLogLevel("info"));
afterEach(() => vi.restoreAllMocks());

it("breaks off where its events fail, and the log says why", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const ended = vi.fn();
  async function* failing() {
    yield serverEvent("approval.asked", { id: "a" });
    throw new Error("the object is gone");
  }
  const reader = eventStream(failing(), ended).body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe('event: approval.asked\ndata: {"id":"a"}\n\n');
  await expect(reader?.read()).rejects.toThrow("the object is gone");
  expect(ended).toHaveBeenCalledOnce();
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines).toMatchObject([{ event: "event_stream_failed", message: "the object is gone" }]);
});
