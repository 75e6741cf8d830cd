/** Calls that wait for a person, made where they are kept: the object is told of a turn and of one call, as a turn tells it. */
import { env } from "cloudflare:test";
import type { Approval } from "../../../src/approvals/approval.ts";
import { lengthPrefixed, sha256Hex } from "../../../src/lib/digest.ts";
import { newId } from "../../../src/lib/ids.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import { redactArguments } from "../../../src/lib/redact.ts";
import type { Question } from "../../../src/ports/turns/question.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import { disclosureOf } from "../../support/disclosure.ts";
import { portsOf } from "../support/object-ports.ts";

export interface Asked extends Partial<Question> {
  readonly tenant: string;
  readonly user?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly redact?: readonly string[];
  /** Asked about a pattern, too. */
  readonly suspicious?: boolean;
}

export const objectOf = (tenant: string, user = "ada") =>
  env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(tenant, user)));

export const guardOf = (tenant: string, user?: string): UserGuardApis => portsOf(objectOf(tenant, user));

const NOTE = { title: "plan", content: "secret words" };
const SCHEMA = {
  type: "object",
  properties: { title: { type: "string", minLength: 1, maxLength: 40 }, content: { type: "string" } },
  required: ["title"],
  additionalProperties: false,
};

let turns = 0;

/** By default a note whose content is redacted; editable, and grantable. */
export async function askApproval({
  tenant,
  user = "ada",
  session = "s",
  tool = "edit_note",
  arguments: args = NOTE,
  redact = ["content"],
  suspicious = false,
  ...question
}: Asked): Promise<Approval> {
  const guard = guardOf(tenant, user);
  const now = Date.now();
  const turn = newId("turn", now);
  const shown = redactArguments(args, redact);
  const opened = await guard.turns.open({
    turn,
    principal: { tenant, user, role: "user", authenticated: true, connections: [] },
    model: "m",
    session: { id: session, firstMessageDigest: "", conversationKey: undefined },
    digest: `digest-${++turns}`,
    clientRetry: false,
    mode: undefined,
    policy: "p",
    reset: false,
    // A new message would cancel what waits already.
    newMessage: false,
    intents: { kind: "keep" },
    detected: [],
    untrusted: false,
    results: [],
    definitions: [],
  });
  const disclosure = { firstUse: "", confirmation: "It edits a note." };
  const [decided] = await guard.turns.decide({
    turn,
    session: opened.session,
    step: 1,
    auditContext: { role: "user", mode: "default", state: "action", intents: [], policy: "p" },
    select: undefined,
    calls: [
      {
        callId: `call-${turns}`,
        tool,
        families: [],
        arguments: JSON.stringify(args),
        extra: undefined,
        recorded: shown,
        disclosed: disclosure,
        digest: sha256Hex(canonicalJson(args)),
        effect: suspicious ? "confirm" : "allow",
        reasons: suspicious ? [{ code: "arguments_suspicious", tool, set: "shell", path: "/title" }] : [],
        counted: { windows: [], confirmation: {} },
        handshake: false,
        question: {
          channel: "native",
          disclosure: disclosureOf({ tool, description: "edit a note" }),
          recorded: shown,
          schema: SCHEMA,
          editable: true,
          grantable: true,
          expiresAt: now + 3_600_000,
          ...question,
        },
      },
    ],
  });
  if (!decided?.approval) throw new Error(`nobody was asked: ${JSON.stringify(decided)}`);
  return decided.approval;
}
