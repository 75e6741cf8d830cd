/** What the gateway answers in a chat, as far as this program reads it. */
import type { Note, ToolCall } from "../../api-views/chat-views.ts";

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
