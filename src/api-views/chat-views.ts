/** A chat completion as the API writes it: what the terminal and the console read of it. */
import type { ApprovalView } from "./approval-views.ts";
import type { EffectName } from "./trail-views.ts";

export interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export type Message =
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** The reply's member `toolgate`: the gateway's note on a turn. */
export interface Note {
  readonly turn_id?: string;
  readonly session_id?: string;
  readonly state?: string;
  readonly intent?: string | null;
  readonly intents?: readonly string[];
  readonly stop_reason?: string;
  readonly offered?: readonly string[];
  readonly withheld?: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  readonly decisions?: readonly {
    readonly call_id: string;
    readonly tool: string;
    readonly effect: EffectName;
    readonly reasons: readonly { readonly code: string; readonly message?: string }[];
  }[];
  readonly approvals?: readonly ApprovalView[];
  readonly runs?: readonly ManagedRun[];
}

/** A call that the gateway ran. */
export interface ManagedRun {
  readonly tool: string;
  readonly status: string;
  readonly ms: number | null;
  readonly trusted: boolean;
  readonly suspicious: readonly string[];
  readonly result?: string | null;
}
