/** Step 4 of a turn: one awaited call to the user's UserGuard, which answers with the facts. */
import { moveIntents } from "../session/task.ts";
import { readCommand } from "./commands.ts";
import type { Ending } from "./ending.ts";
import { toolFacts } from "./tool-facts.ts";
import { newTurn, type Turn, type TurnDeps, type TurnInput } from "./turn.ts";

export async function openTurn(deps: TurnDeps, input: TurnInput): Promise<Turn> {
  const { principal, request, conversation } = input;
  const command = readCommand(conversation.newMessage);
  // Asking how things stand changes nothing.
  const newMessage = conversation.newMessage !== undefined && command !== "status";
  const opened = await deps.guard.open({
    turn: input.id,
    principal,
    model: request.model,
    session: { id: input.sessionId, opening: conversation.opening, pair: conversation.pair },
    digest: input.digest,
    resent: input.resent,
    mode: input.mode,
    policy: input.policy.version,
    reset: input.reset || command === "reset",
    newMessage,
    intents: moveIntents({ newMessage }),
    results: conversation.results,
    definitions: request.tools.map((tool) => [tool.name, toolFacts(tool).digest] as const),
  });
  return newTurn(input, opened);
}

/** The same request again: its calls are given again, and spend nothing. */
export function replayedCalls({ opened }: Turn): Ending | undefined {
  return opened.replay && { kind: "answer", stopReason: "completed", step: undefined, calls: opened.replay };
}
