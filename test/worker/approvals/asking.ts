/** A call that waits for a person, put into a user's object as a turn does. */
import type { Approval, Channel } from "../../../src/approvals/approval.ts";
import type { Disclosure } from "../../../src/approvals/disclosure/disclosed.ts";
import { sha256Hex } from "../../../src/lib/digest.ts";
import { newId } from "../../../src/lib/ids.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import { redactArguments } from "../../../src/lib/redact.ts";
import type { DecidedCall, DecideRequest } from "../../../src/ports/turns/decide-request.ts";
import type { OpenRequest } from "../../../src/ports/turns/open-turn-request.ts";
import { disclosureOf } from "../../support/disclosure.ts";

export interface Asked {
  readonly turns: {
    open(request: OpenRequest): PromiseLike<unknown>;
    decide(request: DecideRequest): PromiseLike<readonly DecidedCall[]>;
  };
}

export interface AskOptions {
  readonly channel?: Channel;
  readonly session?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly redact?: readonly string[];
  readonly lastsMs?: number;
  readonly disclosed?: Partial<Disclosure>;
  readonly schema?: unknown;
}

/** @param guard the object of that user, by itself or by its stub. */
export async function askFor(
  guard: Asked,
  owner: { readonly tenant: string; readonly user: string },
  options: AskOptions = {},
): Promise<Approval> {
  const now = Date.now();
  const { session = "s", redact = [], arguments: args = { path: "notes.txt", text: "hello" } } = options;
  const turn = newId("turn", now);
  const principal = { ...owner, role: "user", connections: [] };
  await guard.turns.open({
    turn,
    principal,
    model: "m",
    session: { id: session, firstMessageDigest: "", conversationKey: undefined },
    digest: sha256Hex(turn),
    clientRetry: false,
    mode: undefined,
    policy: "p",
    reset: false,
    newMessage: false,
    intents: { kind: "keep" },
    detected: [],
    untrusted: false,
    results: [],
    definitions: [],
  } as unknown as OpenRequest);
  const [decided] = await guard.turns.decide(stepOf(turn, session, args, redactArguments(args, redact), options, now));
  if (!decided?.approval) throw new Error(`nobody was asked: ${JSON.stringify(decided)}`);
  return decided.approval;
}

function stepOf(
  turn: string,
  session: string,
  args: Readonly<Record<string, unknown>>,
  recorded: Record<string, unknown>,
  { channel = "inline", lastsMs = 600_000, disclosed = {}, schema = null }: AskOptions,
  now: number,
): DecideRequest {
  const disclosure = disclosureOf({ tool: "write_file", ...disclosed });
  return {
    turn,
    session,
    step: 1,
    auditContext: { role: "user", mode: "default", state: "action", intents: [], policy: "p" },
    select: undefined,
    calls: [
      {
        callId: `call_${turn}`,
        tool: "write_file",
        families: [],
        arguments: JSON.stringify(args),
        extra: undefined,
        recorded,
        disclosed: { firstUse: "", confirmation: "" },
        digest: sha256Hex(canonicalJson(args)),
        effect: "allow",
        reasons: [],
        counted: { windows: [], confirmation: {} },
        handshake: false,
        question: { channel, disclosure, schema, editable: true, grantable: true, expiresAt: now + lastsMs },
      },
    ],
  } as unknown as DecideRequest;
}
