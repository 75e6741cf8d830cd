import { describe, expect, it } from "vitest";
import { MAX_REPLY_UNITS, repliesApi } from "../../src/stores/guard/replies.ts";

const S = "chat-1";

describe("a reply that may be followed", () => {
  it("is read from its beginning while it is written, and to its end", async () => {
    const replies = repliesApi(() => 0);
    expect(await replies.follow(S, undefined, 0, 0)).toBeUndefined();
    await replies.begin(S, "r1");
    await replies.append(S, "r1", 0, "one ");
    expect(await replies.follow(S, undefined, 0, 0)).toEqual({ reply: "r1", text: "one ", ended: false });
    const more = replies.follow(S, "r1", 4, 10_000);
    await replies.append(S, "r1", 4, "two");
    expect(await more).toEqual({ reply: "r1", text: "two", ended: false });
    const last = replies.follow(S, "r1", 7, 10_000);
    await replies.end(S, "r1", false);
    expect(await last).toEqual({ reply: "r1", text: "", ended: true });
    // Who has read it to its end would read it twice.
    expect(await replies.follow(S, undefined, 0, 0)).toBeUndefined();
  });

  it("adds nothing when an append is repeated", async () => {
    const replies = repliesApi(() => 0);
    await replies.begin(S, "r1");
    await replies.append(S, "r1", 0, "one ");
    await replies.append(S, "r1", 0, "one ");
    expect((await replies.follow(S, undefined, 0, 0))?.text).toBe("one ");
    expect(await replies.append(S, "r1", 10, "with a gap")).toBe(false);
  });

  it("is gone once the client has read it, or a minute after its end", async () => {
    let now = 0;
    const replies = repliesApi(() => now);
    await replies.begin(S, "r1");
    await replies.append(S, "r1", 0, "one");
    await replies.end(S, "r1", true);
    expect(await replies.follow(S, undefined, 0, 0)).toBeUndefined();
    await replies.begin(S, "r2");
    await replies.end(S, "r2", false);
    now = 60_001;
    expect(await replies.follow(S, undefined, 0, 0)).toBeUndefined();
  });

  it("gives way to the session's next, and to those of eight others", async () => {
    const replies = repliesApi(() => 0);
    await replies.begin(S, "r1");
    const waiting = replies.follow(S, "r1", 0, 10_000);
    await replies.begin(S, "r2");
    expect(await waiting).toBeUndefined();
    expect(await replies.append(S, "r1", 0, "late")).toBe(false);
    for (let at = 0; at < 8; at += 1) await replies.begin(`other-${at}`, "r");
    expect(await replies.follow(S, undefined, 0, 0)).toBeUndefined();
  });

  it("is dropped where it is too long", async () => {
    const replies = repliesApi(() => 0);
    await replies.begin(S, "r1");
    expect(await replies.append(S, "r1", 0, "x".repeat(MAX_REPLY_UNITS + 1))).toBe(false);
    expect(await replies.follow(S, undefined, 0, 0)).toBeUndefined();
  });

  it("hears that its turn must end, once", async () => {
    const replies = repliesApi(() => 0);
    expect(await replies.stop(S)).toBe(false);
    await replies.begin(S, "r1");
    const heard = replies.stopped(S, "r1", 10_000);
    expect(await replies.stop(S)).toBe(true);
    expect(await heard).toBe(true);
    const ended = replies.stopped(S, "r1", 10_000);
    expect(await ended).toBe(true);
    await replies.end(S, "r1", false);
    expect(await replies.stopped(S, "r1", 10_000)).toBeUndefined();
  });
});
