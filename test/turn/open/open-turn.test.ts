import { describe, expect, it } from "vitest";
import { createDetector } from "../../../src/intent/detect.ts";
import type { SlowLayer } from "../../../src/intent/slow-layer.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { UserGuardPort } from "../../../src/ports/guard-port.ts";
import { openTurn } from "../../../src/turn/open/open-turn.ts";
import { readChatRequest } from "../../../src/wire/chat-request.ts";
import { readConversation } from "../../../src/wire/conversation.ts";

const unasked: SlowLayer = () => {
  throw new Error("this layer should not be asked");
};

/** Whether the object was asked before `openTurn` gave its promise back. */
function opensAtOnce(layers: readonly string[], semantic: SlowLayer, text: string): boolean {
  const checked = checkPolicy({ intents: { A: { keywords: ["alpha"] }, B: {} }, detection: { layers } }, "v1");
  const request = readChatRequest({ model: "m", messages: [{ role: "user", content: text }] }, false);
  if (!checked.ok || !request.ok) throw new Error("the test's policy or request is not valid");
  let opened = false;
  const open = () => {
    opened = true;
    return new Promise(() => {});
  };
  const guard = { turns: { open } } as unknown as UserGuardPort;
  const detector = createDetector({ slow: { semantic, model: unasked }, onMissed() {} });
  void openTurn(
    { guard, detector, model: {} as never, now: () => 0 },
    {
      id: "turn_1",
      principal: { tenant: "t", user: "ada", role: "user", connections: [], authenticated: true } as never,
      policy: checked.value.policy,
      request: request.value,
      conversation: readConversation(request.value.messages),
      digest: "d",
      resent: false,
      work: workBudget(),
      sessionId: "s",
      mode: undefined,
      reset: false,
      channel: "inline",
      headers: {},
      signal: new AbortController().signal,
    },
  );
  return opened;
}

describe("from the request to UserGuard", () => {
  it("nothing is awaited where no layer of detection needs to wait", () => {
    expect(opensAtOnce(["keywords", "patterns"], unasked, "nothing known")).toBe(true);
    expect(opensAtOnce(["keywords", "semantic"], unasked, "alpha")).toBe(true);
    expect(opensAtOnce(["keywords", "semantic"], () => ({ guesses: [] }), "nothing known")).toBe(true);
  });

  it("only a layer that waits is waited for", () => {
    expect(opensAtOnce(["keywords", "semantic"], async () => ({ guesses: [] }), "nothing known")).toBe(false);
  });
});
