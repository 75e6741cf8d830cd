/** `toolgate/ai-sdk`: the gateway's policy, turn and approvals inside a program of the AI SDK. */
import { type LanguageModelMiddleware, type ToolApprovalStatus, type ToolSet, wrapLanguageModel } from "ai";
import { callLedger } from "../kernel/call-ledger.ts";
import {
  createKernel,
  type GovernedToolgate,
  governedToolgate,
  type Kernel,
  type ToolgateOptions,
} from "../kernel/kernel.ts";
import { generate } from "./generate.ts";
import { type ApprovableCall, toolGuard } from "./governed-tools.ts";
import type { GovernedCalls } from "./run-model.ts";
import { stream } from "./stream.ts";

export type { StoredRecord } from "../../ports/audit-record.ts";
export type { ToolgateOptions, ToolgatePrincipal } from "../kernel/kernel.ts";
export { ToolgateError } from "../kernel/toolgate-error.ts";
export { type FileStoreOptions, fileStores, type MemoryStoreOptions, memoryStores } from "../stores/late-stores.ts";
export type { Stores } from "../stores/stores.ts";

type WrappedModel = Parameters<typeof wrapLanguageModel>[0]["model"];

export interface Toolgate extends GovernedToolgate<Toolgate> {
  /** Governs what it wraps: the tools that are offered, the calls that are made, and the words. */
  readonly middleware: LanguageModelMiddleware;
  /** The model, with the middleware. */
  model(model: WrappedModel): ReturnType<typeof wrapLanguageModel>;
  /** The same tools, which run only the calls that were released, each once. */
  tools<Tools extends ToolSet>(tools: Tools): Tools;
  /** For `toolApproval` of `generateText`, `streamText` and agents: says which calls wait for a person, and why. */
  readonly toolApproval: (options: { readonly toolCall: ApprovableCall }) => Promise<ToolApprovalStatus>;
}

/** Throws `ToolgateError` if the policy or the principal is not valid. */
export const createToolgate = (options: ToolgateOptions): Toolgate => toolgateOver(createKernel(options));

function toolgateOver(kernel: Kernel): Toolgate {
  const calls: GovernedCalls = { kernel, ledger: callLedger(), guarded: new Set(), memory: new Map() };
  const { guard, approval } = toolGuard(calls);
  const middleware: LanguageModelMiddleware = {
    specificationVersion: "v4",
    wrapGenerate: ({ model, params }) => generate({ calls, model, params }),
    wrapStream: ({ model, params }) => stream({ calls, model, params }),
  };
  return {
    middleware,
    model: (model) => wrapLanguageModel({ model, middleware }),
    tools: guard,
    toolApproval: ({ toolCall }) => approval(toolCall),
    ...governedToolgate(kernel, toolgateOver),
  };
}
