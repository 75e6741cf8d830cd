/** A user's object as turns and surfaces reach it, without a gateway before it; each has a fresh user. */
import { env } from "cloudflare:test";
import type { Answer, Approval } from "../../../src/approvals/approval.ts";
import { lengthPrefixed, sha256Hex } from "../../../src/lib/digest.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import type { AuditRecord, SealedRecord, TurnRecord } from "../../../src/ports/audit-record.ts";
import type { CallToDecide, DecidedCall, DecideRequest } from "../../../src/ports/turns/decide-request.ts";
import type { OpenRequest, OpenResult } from "../../../src/ports/turns/open-turn-request.ts";
import type { Question } from "../../../src/ports/turns/question.ts";
import type { CloseRequest } from "../../../src/ports/turns/turns-port.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import type { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { disclosureOf } from "../../support/disclosure.ts";
import { portsOf } from "./object-ports.ts";
import { runInGuard } from "./run-in-guard.ts";

export interface Asker {
  readonly stub: DurableObjectStub<UserGuard>;
  readonly guard: UserGuardApis;
  readonly user: string;
  /** Opens a turn: a new message in session `s`, unless told otherwise. */
  open(over?: Partial<OpenRequest>): Promise<OpenedTurn>;
  decide(
    turn: OpenedTurn,
    calls: readonly CallToDecide[],
    over?: Partial<DecideRequest>,
  ): Promise<readonly DecidedCall[]>;
  /** Opens a turn and asks for one call in it. */
  ask(call?: CallToDecide, over?: Partial<OpenRequest>): Promise<Asked>;
  close(turn: OpenedTurn, giveBack?: boolean, over?: Partial<CloseRequest>): Promise<void>;
  records(): Promise<readonly Exclude<AuditRecord, TurnRecord>[]>;
  /** Rows of `calls`: what was released. */
  released(): Promise<readonly { readonly call_id: string; readonly arguments: string; readonly turn: string }[]>;
}

export interface OpenedTurn extends OpenResult {
  readonly turn: string;
}

export interface Asked {
  readonly turn: OpenedTurn;
  readonly approval: Approval;
  readonly call: CallToDecide;
}

let count = 0;
const fresh = (what: string): string => `${what}_${++count}_${crypto.randomUUID().slice(0, 8)}`;

export function asker(user = fresh("user")): Asker {
  const tenant = "acme";
  const stub = env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(tenant, user)));
  const guard = portsOf(stub);
  const self: Asker = {
    stub,
    guard,
    user,
    async open(over = {}) {
      const turn = over.turn ?? fresh("turn");
      const request: OpenRequest = {
        turn,
        principal: { tenant, user, role: "user", authenticated: true, connections: [] },
        model: "m",
        session: { id: "s", firstMessageDigest: "o", conversationKey: undefined },
        digest: fresh("digest"),
        clientRetry: false,
        mode: undefined,
        policy: "p1",
        reset: false,
        newMessage: true,
        intents: { kind: "keep" },
        detected: [],
        untrusted: false,
        results: [],
        definitions: [],
        ...over,
      };
      return { ...(await guard.turns.open(request)), turn };
    },
    decide: (turn, calls, over = {}) => guard.turns.decide({ ...toDecide(turn, calls), ...over }),
    async ask(call = asks(), over = {}) {
      const turn = await self.open(over);
      const [decided] = await self.decide(turn, [call]);
      if (!decided?.approval) throw new Error(`not asked: ${JSON.stringify(decided)}`);
      return { turn, approval: decided.approval, call };
    },
    close: async (turn, giveBack = false, over = {}) => {
      await guard.turns.close({ ...toClose(turn), giveBack, ...over });
    },
    records: () =>
      runInGuard(stub, (_, { storage }) =>
        storage.sql
          .exec<{ sealed: string }>("SELECT sealed FROM outbox ORDER BY seq")
          .toArray()
          .map(({ sealed }) => (JSON.parse(sealed) as SealedRecord).record)
          .filter((record) => record.kind !== "turn"),
      ),
    released: () =>
      runInGuard(stub, (_, { storage }) =>
        storage.sql
          .exec<{ call_id: string; arguments: string; turn: string }>(
            "SELECT call_id, COALESCE(arguments, recorded) AS arguments, turn FROM calls WHERE turn IS NOT NULL ORDER BY ordinal",
          )
          .toArray(),
      ),
  };
  return self;
}

export const toClose = ({ turn, session }: Pick<OpenedTurn, "turn" | "session">): CloseRequest => ({
  turn,
  session,
  record: {
    endedAt: Date.now(),
    role: "user",
    mode: "default",
    policy: "p1",
    stateOpened: "action",
    stateClosed: "action",
    intents: [],
    detection: null,
    stopReason: "completed",
    finishReason: "stop",
    steps: 1,
    offered: [],
    withheld: [],
    tokensSaved: 0,
    usage: null,
    error: null,
  },
  replyText: undefined,
  taskGoesOn: true,
  giveBack: false,
});

export const toDecide = ({ turn, session }: OpenedTurn, calls: readonly CallToDecide[]): DecideRequest => ({
  turn,
  session,
  step: 1,
  auditContext: { role: "user", mode: "default", state: "action", intents: [], policy: "p1" },
  select: undefined,
  calls,
});

export const digestOf = (args: unknown): string => sha256Hex(canonicalJson(args));

/** A call that its tool's category asks a confirmation for, by a turn that can ask. */
export function asks(
  args: Readonly<Record<string, unknown>> = { path: "a" },
  over: Partial<CallToDecide> = {},
): CallToDecide {
  return {
    callId: "c1",
    tool: "edit",
    families: [],
    arguments: JSON.stringify(args),
    extra: undefined,
    recorded: args,
    disclosed: { firstUse: "first", confirmation: "confirm" },
    digest: digestOf(args),
    effect: "allow",
    reasons: [],
    counted: { windows: [], confirmation: {} },
    handshake: false,
    question: question(),
    ...over,
  };
}

const disclosure = disclosureOf({ tool: "edit" });

export const question = (over: Partial<Question> = {}): Question => ({
  channel: "inline",
  disclosure,
  schema: { type: "object" },
  editable: true,
  grantable: true,
  expiresAt: Date.now() + 3600_000,
  ...over,
});

export const approves: Answer = { action: "approve", via: "api", by: "ada", reason: null };
export const denies: Answer = { action: "deny", via: "api", by: "ada", reason: "not now" };

export const edits = (args: Readonly<Record<string, unknown>>): Answer => ({
  ...approves,
  action: "edit",
  edited: { arguments: JSON.stringify(args), digest: digestOf(args), recorded: args, disclosure },
});

/** The call as a turn brings it once its approval is answered, or answered by this very request. */
export const under = (approval: Pick<Approval, "id">, call: CallToDecide, answer?: Answer): CallToDecide => ({
  ...call,
  question: undefined,
  approval: { id: approval.id, answer },
});

export const codesOf = (decided: readonly DecidedCall[]): string[][] =>
  decided.map(({ effect, reasons }) => [effect, ...reasons.map(({ code }) => code)]);
