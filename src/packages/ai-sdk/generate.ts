/** A governed model's answer in one piece. */
import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { type ModelTurn, runTurnOf } from "./run-model.ts";

type Part = LanguageModelV4StreamPart;

export async function generate(turn: ModelTurn): Promise<LanguageModelV4GenerateResult> {
  const signal = turn.params.abortSignal ?? new AbortController().signal;
  const parts: Part[] = [];
  let failure: { readonly error: unknown } | undefined;
  await runTurnOf(turn, {
    stream: false,
    signal,
    open: () => !signal.aborted,
    send: (some) => void parts.push(...some),
    ready: async () => {},
    begun() {},
    failed: (error) => {
      failure = { error };
    },
  });
  if (failure) throw failure.error;
  return resultOf(parts);
}

export const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
function resultOf(parts: readonly Part[]): LanguageModelV4GenerateResult {
  const result: LanguageModelV4GenerateResult = {
    content: [],
    finishReason: { unified: "other", raw: undefined },
    usage: NO_USAGE,
    warnings: [],
  };
  const blocks = new Map<string, Block>();
  for (const part of parts) {
    if (isBlockPart(part)) addToBlock(result, blocks, part);
    else if (part.type === "stream-start") result.warnings = part.warnings;
    else if (part.type === "finish") {
      const { type: _type, ...end } = part;
      Object.assign(result, end);
    } else if (part.type === "response-metadata") {
      const { type: _type, ...response } = part;
      result.response = response;
    } else if (isContent(part)) result.content.push(part);
  }
  result.content = result.content.filter((part) => part.type !== "text" || part.text !== "");
  return result;
}

type Block = Extract<LanguageModelV4Content, { type: "text" | "reasoning" }>;
type BlockPart = Extract<Part, { type: `${"text" | "reasoning"}-${"start" | "delta" | "end"}` }>;

const isBlockPart = (part: Part): part is BlockPart => /^(text|reasoning)-(start|delta|end)$/.test(part.type);

const CONTENT: ReadonlySet<string> = new Set(["tool-call", "file", "reasoning-file", "source", "custom"]);
const isContent = (part: Part): part is Extract<Part, LanguageModelV4Content> => CONTENT.has(part.type);

function addToBlock(result: LanguageModelV4GenerateResult, blocks: Map<string, Block>, part: BlockPart): void {
  const [type = "text"] = part.type.split("-") as ["text" | "reasoning"];
  const key = `${type} ${part.id}`;
  const known = blocks.get(key);
  const block: Block = known ?? { type, text: "" };
  if (!known) {
    blocks.set(key, block);
    result.content.push(block);
  }
  if ("delta" in part) block.text += part.delta;
  if (part.providerMetadata) block.providerMetadata = part.providerMetadata;
  if ("citations" in part && part.citations) Object.assign(block, { citations: part.citations });
}
