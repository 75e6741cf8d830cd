/**
 * A relayed server's question to the client while its tool runs: to the person, or to the client's model. The question goes out on
 * the stream of the call; the answer is a message of its own, which may reach another isolate.
 */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { log } from "../../lib/log.ts";
import { visibleTexts } from "../../lib/text/unseen-characters.ts";
import type { McpQuestions, QuestionKind, ServerQuestion } from "../../tools/tool-runner.ts";
import { WAIT_MS, waitUntilDone } from "../../turn/confirm/hold.ts";
import type { ToolSession } from "../../turn/tool-call/tool-call-turn.ts";
import type { AppEnv } from "../app-env.ts";
import type { CalledTool } from "./mcp-server.ts";
import type { McpSession } from "./mcp-session.ts";

const METHODS = { elicitation: "elicitation/create", sampling: "sampling/createMessage" } as const;

const PREFIX = "ask";

export const isServerQuestion = (id: unknown): id is string => typeof id === "string" && id.startsWith(`${PREFIX}_`);

/** A client of 2026 has no stream that could carry a question. */
export function questionsFor({ deps, at, session }: CallContext, call: CalledTool): McpQuestions | undefined {
  if (call.client.era !== "legacy") return undefined;
  const kinds = new Set<QuestionKind>();
  if (session.form) kinds.add("elicitation");
  if (session.sampling) kinds.add("sampling");
  if (kinds.size === 0) return undefined;
  const { mailbox } = deps.guardOf(at.principal);
  return {
    kinds,
    async ask(question) {
      const params = clientParams(question);
      if (!params) throw new Error("the client is not asked this");
      const id = newId(PREFIX, deps.now());
      const { kind, server } = question;
      log("info", "mcp_question_relayed", { server, kind, session: at.session });
      const take = (waitMs: number) => mailbox.take(boxOf(session.id, id), waitMs);
      // An answer that no request waits for yet would be dropped.
      await take(0);
      call.request(id, METHODS[kind], params);
      const message = await waitUntilDone(
        call.signal,
        "mcp_answer",
        () => take(WAIT_MS),
        (state) => state !== undefined,
      );
      const answer: unknown = message === undefined ? undefined : JSON.parse(message);
      if (!isObject(answer)) throw new Error("the client has not answered");
      return answer;
    },
  };
}

/** @param result of the client's message; undefined if it is an error. */
export const takeServerAnswer = (
  { deps, at, session }: Pick<CallContext, "deps" | "at" | "session">,
  id: string,
  result: unknown,
): Promise<void> => deps.guardOf(at.principal).mailbox.put(boxOf(session.id, id), JSON.stringify(result ?? null));

/** Only the session that got the question may answer. */
const boxOf = (session: string, id: string): string => `${session} ${id}`;

/** With everything that a person must see, and nothing that would give the server more than an answer. Undefined: it is not relayed. */
function clientParams({ kind, server, params }: ServerQuestion): JsonObject | undefined {
  const { mode, message, requestedSchema, messages, systemPrompt, maxTokens, temperature, stopSequences, tools } =
    params;
  if (kind === "elicitation") {
    if ((mode ?? "form") !== "form" || typeof message !== "string") return undefined;
    return visibleTexts({ message: `The MCP server \`${server}\` asks: ${message}`, requestedSchema });
  }
  // Calls that the client's model makes for a server would not be vetted.
  if (tools !== undefined) return undefined;
  // Without `includeContext`: a server must not get what other servers sent.
  const settings = { systemPrompt, temperature, stopSequences, modelPreferences: params.modelPreferences };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return visibleTexts({ messages, maxTokens, ...Object.fromEntries(given) });
}

export interface CallContext {
  readonly c: Context<AppEnv>;
  readonly deps: Deps;
  readonly at: ToolSession;
  readonly session: McpSession;
}
