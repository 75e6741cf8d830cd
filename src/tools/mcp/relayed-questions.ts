/** The questions that a server may ask while its tool runs. Pure but for the asking. */
import type { McpServer } from "../../policy/document/run-parts.ts";
import type { McpQuestions, QuestionKind } from "../tool-runner.ts";
import { masked } from "../without-secrets.ts";
import type { SessionQuestions } from "./session.ts";

/**
 * The server is told what the policy relays, not what this client supports: servers leave tools out of their lists by that, and
 * a list is the same for all clients.
 * @param questions absent: there is no client, or it takes no question.
 */
export function relayedQuestions(
  { server, settings }: { readonly server: string; readonly settings: Pick<McpServer, "relay"> },
  questions?: McpQuestions,
  secrets: readonly string[] = [],
): SessionQuestions | undefined {
  const kinds = new Set<QuestionKind>();
  for (const kind of settings.relay) if (kind === "elicitation" || kind === "sampling") kinds.add(kind);
  if (kinds.size === 0) return undefined;
  return {
    kinds,
    async ask(kind, params) {
      if (questions?.kinds.has(kind)) return questions.ask({ kind, server, params: masked(params, secrets) });
      if (kind === "elicitation") return { action: "cancel" };
      throw new Error("no client can be asked");
    },
  };
}
