/**
 * A surface: a wire format in which clients ask for turns. Inside there is one format, the chat completion: a surface reads its
 * requests into it and writes replies from it, so that a rule that holds on one surface holds on all.
 */
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { Result } from "../../lib/result.ts";
import type { OpenedNote, ReportedRun } from "../../ports/reply-port.ts";
import type { Ending, ToolgateNote } from "../../ports/turns/ending.ts";
import type { ChatRequest } from "../../wire/chat-request.ts";
import type { Envelope } from "../../wire/envelope.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import type { Problem } from "../problem.ts";

export interface Surface {
  /** @param body the request's, parsed. */
  read(
    body: JsonObject,
    context: SurfaceContext,
  ): Result<SurfaceRequest, Problem> | Promise<Result<SurfaceRequest, Problem>>;
}

interface SurfaceContext {
  /** Whether the body may hold numbers as they were written (`keepsNumbers`). */
  readonly keptNumbers: boolean;
  readonly bodyBytes: number;
  /** The model of the first upstream, for requests that name none; undefined if the settings leave it to requests. */
  readonly defaultModel: string | undefined;
  /**
   * The principal, for a surface that stores something for its users.
   * @param user the `user` of the body, if a service speaks for a user.
   */
  principal(user: unknown): Result<AuthenticatedPrincipal, Problem>;
}

export interface SurfaceRequest {
  readonly chat: ChatRequest;
  /** The `user` of the body. */
  readonly user: unknown;
  /** Approximate bytes of what the request continues and its body does not hold. */
  readonly earlierBytes?: number;
  /** Made anew for each request: it may remember what it has written. */
  readonly format: ReplyFormat;
  /** The surface has a request with which a client resumes the reply. */
  readonly isResumable?: boolean;
  /** The work that is left once the reply has ended, off its path. */
  readonly afterwards?: (principal: AuthenticatedPrincipal) => Promise<void>;
}

/** How a reply is written. `turn-reply.ts` decides when. */
export interface ReplyFormat {
  /**
   * Turns the model's text into events of this format; it comes as whole events of chat completions. Absent: they are passed on
   * unchanged.
   * @returns the text of whole events, or nothing.
   */
  readonly words?: (events: string, envelope: Envelope) => string;
  /** How the turn opened, before anything is written. */
  readonly opened?: (note: OpenedNote) => void;
  /** Managed calls that the client may know of, as they end. Absent: only the note at the end lists them. */
  readonly runs?: (runs: readonly ReportedRun[]) => string;
  /** The gateway's own text in the middle of a stream. */
  ownWords(envelope: Envelope, words: string, now: number): string;
  /** The end of a stream. A promise if something is stored before the client may come back for it. */
  ending(ending: Exclude<Ending, { kind: "error" }>, context: EndingContext): string | Promise<string>;
  /** The end of a stream that has failed: no client may take it for a clean one. */
  error(error: unknown, envelope: Envelope): string;
  /** A reply that is sent whole. */
  body(ending: Exclude<Ending, { kind: "error" }>, context: EndingContext): JsonObject | Promise<JsonObject>;
  /** Headers of a stream, beside those that all streams have. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EndingContext {
  readonly envelope: Envelope;
  readonly note: ToolgateNote;
  /** The sum of all steps, instead of the last step's own. */
  readonly usage: JsonObject | undefined;
  readonly includeUsage: boolean;
  /** Whether the reply is of more than one step. */
  readonly several: boolean;
  readonly jsonMode: boolean;
  /** Whether text was sent before, the model's or ours. */
  readonly spoken: boolean;
  /** The gateway's own text before the answer in a body that is sent whole. */
  readonly preface: string;
  readonly now: number;
}
