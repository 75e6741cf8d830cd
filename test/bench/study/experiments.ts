/** `GET /v1/audit/experiments` against what the bench counted itself of the same turns. Pure. */
import type { Trail } from "./audit.ts";
import type { Recording } from "./recording.ts";

/** Of the turns of one arm. */
export interface ArmCounts {
  readonly turns: number;
  readonly modelCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly refused: number;
  readonly ran: number;
}

interface ToldArm {
  readonly turns: number;
  readonly model_calls: { readonly total: number };
  readonly tokens: { readonly prompt: number | null; readonly completion: number | null };
  readonly decisions: { readonly refused: number };
  readonly runs: { readonly total: number };
}

const arms = ["llm_first", "system_first"] as const;
type Arm = (typeof arms)[number];

export interface Told {
  /** As the gateway tells them. */
  readonly arms: Readonly<Partial<Record<Arm, ArmCounts>>>;
  readonly differences: readonly string[];
}

/** @param recordings all of the tenant's. */
export function compareArms(answer: unknown, recordings: readonly Recording[], trail: Trail): Told {
  const { data } = answer as { readonly data: readonly { intent: string | null; arms: Record<string, ToldArm> }[] };
  const all = data.find(({ intent }) => intent === null)?.arms;
  const told = arms.map((arm) => [arm, readArm(all?.[arm])] as const);
  const differences = told.flatMap(([arm, one]) => {
    const counted = countArm(arm, recordings, trail);
    return (Object.keys(counted) as (keyof ArmCounts)[])
      .filter((name) => one?.[name] !== counted[name])
      .map((name) => `${arm}: ${name} ${one?.[name]}, counted ${counted[name]}`);
  });
  return { arms: Object.fromEntries(told), differences };
}

function countArm(arm: string, recordings: readonly Recording[], { turns, decisions }: Trail): ArmCounts {
  const own = new Set(turns.filter((turn) => turn.arm === arm).map(({ id }) => id));
  const replies = recordings.flatMap((one) => one.replies).filter(({ turn = "" }) => own.has(turn));
  const served = replies.flatMap((reply) => reply.served);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    turns: own.size,
    modelCalls: served.length,
    promptTokens: sum(served.map(({ promptTokens }) => promptTokens)),
    completionTokens: sum(served.map(({ completionTokens }) => completionTokens)),
    refused: decisions.filter(({ turn, effect }) => own.has(String(turn)) && effect === "deny").length,
    ran: sum(replies.map(({ ran }) => ran.length)),
  };
}

const readArm = (arm: ToldArm | undefined): ArmCounts | undefined =>
  arm && {
    turns: arm.turns,
    modelCalls: arm.model_calls.total,
    promptTokens: arm.tokens.prompt ?? 0,
    completionTokens: arm.tokens.completion ?? 0,
    refused: arm.decisions.refused,
    ran: arm.runs.total,
  };
