/** What the gateway answers in a chat, as far as this program reads it. */
import type { ApprovalView } from "../../console/api/views.ts";

/** The reply's member `toolgate`. */
export interface Note {
  readonly session_id?: string;
  readonly state?: string;
  readonly intent?: string | null;
  readonly intents?: readonly string[];
  readonly stop_reason?: string;
  readonly offered?: readonly string[];
  readonly withheld?: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  readonly decisions?: readonly {
    readonly tool: string;
    readonly effect: string;
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

export interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export type Message =
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface ChatReply {
  readonly words: string;
  readonly calls: readonly ToolCall[];
  readonly note: Note;
  /** From the request to the end of the reply. */
  readonly ms: number;
}

/** Why there is no reply, in words for the person. */
export interface ChatFailure {
  readonly message: string;
  readonly code: string | undefined;
  /** 0: the gateway was not reached, or the reply broke off. */
  readonly status: number;
}
