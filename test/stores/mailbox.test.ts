import { describe, expect, it } from "vitest";
import { mailboxApi } from "../../src/stores/guard/mailbox.ts";

describe("a mailbox", () => {
  it("gives a message to who waits for it, once", async () => {
    const box = mailboxApi(() => 0);
    const waiting = box.take("a", 10_000);
    await box.put("a", "first");
    await box.put("a", "second");
    expect(await waiting).toBe("first");
    expect(await box.take("a", 0)).toBeUndefined();
  });

  it("keeps a message that comes between two looks", async () => {
    const box = mailboxApi(() => 0);
    expect(await box.take("a", 0)).toBeUndefined();
    await box.put("a", "late");
    expect(await box.take("a", 0)).toBe("late");
  });

  it("drops what nobody waits for, or has not waited for within a minute", async () => {
    let now = 0;
    const box = mailboxApi(() => now);
    await box.put("a", "unasked");
    expect(await box.take("a", 0)).toBeUndefined();
    now = 60_001;
    await box.put("a", "too late");
    expect(await box.take("a", 0)).toBeUndefined();
  });

  it("holds no more than 256 messages", async () => {
    const box = mailboxApi(() => 0);
    for (let at = 0; at < 256; at += 1) await box.take(`${at}`, 0);
    await box.take("more", 0);
    await box.put("more", "one too many");
    expect(await box.take("more", 0)).toBeUndefined();
  });
});
