import { expect, it } from "vitest";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { offerAcceptedIn } from "../../../src/turn/open/accepted-offer.ts";
import { prepareOpen } from "../../../src/turn/open/open-turn.ts";
import { taskMessage } from "../../../src/turn/open/task-message.ts";
import type { Turn, TurnInput } from "../../../src/turn/turn.ts";
import type { JudgingDeps } from "../../../src/turn/turn-deps.ts";
import { readConversation } from "../../../src/wire/conversation.ts";
import { policyOf } from "../../support/policy.ts";

const detection = (name: string) => ({
  intents: [{ name, layer: "trained", confidence: 0.9 }],
  followUp: false,
  entities: [],
});

function inputOf(content: string): TurnInput {
  const messages = [
    { role: "user", content: "the printer is broken" },
    { role: "assistant", content: "I see. Shall I open a ticket?" },
    { role: "user", content },
  ];
  const policy = policyOf({
    intents: { TICKETS: { description: "Tickets" } },
    detection: { extract: "<user>(?P<text>[^<]*)</user>" },
  });
  const request = { model: "gpt", messages, tools: [] };
  return {
    policy,
    request,
    conversation: readConversation(messages),
    work: workBudget(),
    channel: "inline",
  } as unknown as TurnInput;
}

const detects = async (_policy: unknown, { text }: { readonly text: string }) =>
  detection(text === "open a ticket" ? "TICKETS" : "NONE");
const deps = { detector: { detect: detects } } as unknown as JudgingDeps;

it("takes the user's text in the message for a yes to the assistant's offer, without the frontend's", async () => {
  const { request } = await prepareOpen(deps, inputOf("<open>a.ts</open><user>yes please</user>"));
  expect(request.detected).toEqual(["TICKETS"]);
  expect((await prepareOpen(deps, inputOf("<open>yes please</open><user>which one?</user>"))).request.detected).toEqual(
    [],
  );
});

it("reads an offer once a turn", async () => {
  const input = inputOf("<user>yes please</user>");
  const offer = offerAcceptedIn(input, "yes please", "I see. Shall I open a ticket?");
  await prepareOpen(deps, input);
  expect(offer?.text).toBe("open a ticket");
  expect(taskMessage({ input } as Turn).accepted()).toBe(offer);
});
