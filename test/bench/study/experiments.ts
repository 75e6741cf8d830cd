/** `GET /v1/audit/experiments` against what the bench counted itself of the same turns. Pure. */
import type { Trail } from "./audit.ts";
import type { Recording } from "./recording.ts";

/** Of the turns of one variant. */
interface VariantCounts {
  readonly turns: number;
  readonly modelCalls: number;
  readonly tokens: number;
  /** Turns in which the rules refused a call. */
  readonly refused: number;
}

interface Row {
  readonly arm: string;
  readonly turns: number;
  readonly refused: number;
  readonly mean_steps: number;
  readonly mean_tokens: number | null;
}

const variants = ["llm_first", "system_first"] as const;
type Variant = (typeof variants)[number];

export interface Comparison {
  /** As the gateway reports them. */
  readonly variants: Readonly<Record<Variant, VariantCounts>>;
  readonly differences: readonly string[];
}

/** @param recordings all of the tenant's. */
export function compareVariants(answer: unknown, recordings: readonly Recording[], trail: Trail): Comparison {
  const { data } = answer as { readonly data: readonly Row[] };
  const reported = (variant: Variant) => addRows(data.filter(({ arm }) => arm === variant));
  const differences = variants.flatMap((variant) => {
    const [own, counted] = [reported(variant), countVariant(variant, recordings, trail)];
    return (Object.keys(counted) as (keyof VariantCounts)[])
      .filter((name) => own[name] !== counted[name])
      .map((name) => `${variant}: ${name} ${own[name]}, counted ${counted[name]}`);
  });
  return { variants: { llm_first: reported("llm_first"), system_first: reported("system_first") }, differences };
}

function countVariant(variant: string, recordings: readonly Recording[], { turns, decisions }: Trail): VariantCounts {
  const own = new Set(turns.filter((turn) => turn.arm === variant).map(({ id }) => id));
  const replies = recordings.flatMap((one) => one.replies).filter(({ turn = "" }) => own.has(turn));
  const served = replies.flatMap((reply) => reply.served);
  const refused = decisions.filter(({ turn, effect }) => own.has(String(turn)) && effect === "deny");
  return {
    turns: own.size,
    modelCalls: served.length,
    tokens: sum(served.map(({ promptTokens, completionTokens }) => promptTokens + completionTokens)),
    refused: new Set(refused.map(({ turn }) => turn)).size,
  };
}

/** Means are rounded to thousandths, so the sums of less than a thousand turns are exact. */
const addRows = (rows: readonly Row[]): VariantCounts => ({
  turns: sum(rows.map(({ turns }) => turns)),
  modelCalls: sum(rows.map(({ turns, mean_steps }) => Math.round(turns * mean_steps))),
  tokens: sum(rows.map(({ turns, mean_tokens }) => Math.round(turns * (mean_tokens ?? 0)))),
  refused: sum(rows.map(({ refused }) => refused)),
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
