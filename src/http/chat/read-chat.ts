/** From the request of a chat to what its turn is given: whatever is wrong with it is told before anything is begun. */
import type { Context } from "hono";
import type { Deps } from "../../deps.ts";
import { sha256HexOf } from "../../lib/digest.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workForBody } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Principal } from "../../session/principal.ts";
import type { ManagedTools } from "../../tools/tool-runner.ts";
import type { QuestionLinks } from "../../turn/turn.ts";
import { joinTools, type TurnInput } from "../../turn/turn.ts";
import { type ChatRequest, parseBody, readChatRequest } from "../../wire/chat-request.ts";
import { readConversation } from "../../wire/conversation.ts";
import { keepsNumbers } from "../../wire/odd-numbers.ts";
import type { RequestFault } from "../../wire/request-fault.ts";
import { checkProviderFields } from "../../wire/request-fields.ts";
import { checkToolChoice } from "../../wire/tool-choice.ts";
import type { AppEnv } from "../app-env.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { loadServedPolicy, type ServedPolicy } from "../load-policy.ts";
import { principalFor, refusalOf } from "../middleware/asker.ts";
import { badRequest, type Problem } from "../problem.ts";
import { readLargeBody } from "./large-body.ts";
import { ceilingsOf, readTurnHeaders } from "./turn-headers.ts";
import { upstreamHeaders } from "./upstream-headers.ts";
import { clientUpstreamKey } from "./upstream-key.ts";

export interface ChatTurn {
  readonly served: ServedPolicy;
  readonly input: Omit<TurnInput, "id" | "signal">;
}

export async function readChatTurn(c: Context<AppEnv>, deps: Deps): Promise<Result<ChatTurn, Problem>> {
  const { asker, watch } = c.var;
  const { headers } = c.req.raw;
  const read = await readChat(c, deps);
  if (!read.ok) return read;
  const { chat, digest, principal, work } = read.value;
  // Told again where the body has named the user.
  if (asker.identity.kind === "pending") watch.authenticated(principal);
  const served = await loadServedPolicy(deps, principal.tenant, watch);
  if (!served.ok) return served;
  const { policy } = served.value;
  const fields = checkProviderFields(chat.providerFields, policy.passFields);
  if (!fields.ok) return err(problemOf(fields.error));
  const steering = readTurnHeaders(headers, chat, policy, principal);
  if (!steering.ok) return steering;
  const upstreamKey = clientUpstreamKey(headers, deps.access.clientUpstreamKeys);
  if (!upstreamKey.ok) return upstreamKey;
  const found = managedFor(deps, policy, principal, chat);
  const known = found instanceof Promise ? await found : found;
  const managed = known && known.names.size > 0 ? known : undefined;
  const choice = checkToolChoice(chat.toolChoice, joinTools(chat.tools, managed).all);
  if (!choice.ok) return err(problemOf(choice.error));
  return ok({
    served: served.value,
    input: {
      principal,
      policy: managed?.policy ?? policy,
      managed,
      request: chat,
      conversation: readConversation(chat.messages),
      digest,
      ceilings: ceilingsOf(deps.limits),
      work,
      links: linksOf(deps),
      ...steering.value,
      headers: { ...upstreamHeaders(headers, deps.passHeaders), ...upstreamKey.value },
    },
  });
}

interface ReadChat {
  readonly chat: ChatRequest;
  /** A retry sends the same bytes, and asks for the same mode. */
  readonly digest: string;
  readonly principal: AuthenticatedPrincipal;
  readonly work: WorkBudget;
}

/** A function of its own, so that the body's bytes and text are gone while the model answers. */
async function readChat(c: Context<AppEnv>, deps: Deps): Promise<Result<ReadChat, Problem>> {
  const bytes = await readLargeBody(c, deps);
  if (!bytes.ok) return bytes;
  const refusal = c.var.asker.admission && (await refusalOf(c.var.asker));
  if (refusal) return err(refusal);
  const text = new TextDecoder().decode(bytes.value);
  const keep = keepsNumbers(text);
  const body = parseBody(text, keep);
  const chat = body.ok ? readChatRequest(body.value, keep) : body;
  if (!chat.ok) return err(problemOf(chat.error));
  const principal = principalFor(c.var.asker, chat.value.body.user, text);
  if (!principal.ok) return principal;
  const names = [String(chat.value.stream), c.req.raw.headers.get("x-toolgate-mode") ?? ""];
  return ok({
    chat: chat.value,
    digest: sha256HexOf(names, new Uint8Array(bytes.value)),
    principal: principal.value,
    work: workForBody(bytes.value.byteLength),
  });
}

const problemOf = ({ param, message, code }: RequestFault): Problem => badRequest(param ?? undefined, message, code);

const linksOf = ({ webhooks: { keys, publicUrl } }: Deps): QuestionLinks | undefined =>
  keys && publicUrl !== undefined ? { keys, publicUrl } : undefined;

/** Several answers at once cannot each go on from what a tool brought. Most policies have none, and wait for nothing. */
function managedFor(
  { tools }: Deps,
  policy: CompiledPolicy,
  principal: Principal,
  { choices }: ChatRequest,
): ManagedTools | undefined | Promise<ManagedTools> {
  return choices > 1 ? undefined : tools?.managed(policy, principal);
}
