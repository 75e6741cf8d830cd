/** Everything that the rules may look at. Pure data; `now` is a parameter, there is no clock. */
import type { Principal } from "../session/principal.ts";
import type { State } from "../session/state.ts";
import type { AcceptedOffer, BoundDestinations, ResultInstruction, UserActs } from "./origin/origin-types.ts";
import type { Sources } from "./origin/sources/sources.ts";
import type { UseLimit } from "./tool-rules.ts";

/** A tool as a request (or the policy) defines it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; absent means any object. */
  readonly parameters?: unknown;
  /** The client's own object, sent on unchanged (vendor fields, `strict`, key order). */
  readonly wire: unknown;
}

export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly principal: Principal;
  readonly mode: string;
  readonly state: State;
  /** The task's intents; empty before one is selected. */
  readonly intents: readonly string[];
  /** The intents that only the model selected. Absent: none. */
  readonly selectedByModel?: ReadonlySet<string>;
  /** The intents that the model selected after untrusted text was in the conversation. Absent: none. */
  readonly selectedAfterUntrusted?: ReadonlySet<string>;
  /** Tools whose definition differs from the one pinned for the session. */
  readonly changedDefinitions: ReadonlySet<string>;
  /** The intents that the handshake may select, besides those that permit no tools; absent: any. */
  readonly selectable?: ReadonlySet<string>;
  /** Values of the call come from untrusted text: a call with effects needs a person, in every category. */
  readonly tainted?: true;
  /**
   * The sources that values of calls may come from, once the conversation holds untrusted text; undefined before. A function, as the next
   * ones: the conversation is read only if a call has an argument that matters.
   */
  readonly untrustedSources?: () => Sources | undefined;
  /** The same, even if all text is trusted; undefined for a plan that the user has approved. */
  readonly allSources?: () => Sources | undefined;
  /** The first instruction to the model in an untrusted result of the task. */
  readonly instructions?: () => ResultInstruction | undefined;
  /** What the user's own message says. Absent: it was not read. */
  readonly message?: MessageFacts;
  /** Earlier calls of the session. Absent: there is no session, as in a list of tools. */
  readonly history?: ToolHistory | undefined;
  /** The tool that the application itself demanded by `tool_choice`, or that undoes a call. */
  readonly forcedTool?: string;
  /** The user has approved this very call, with these arguments. */
  readonly answered?: true;
  /** The call undoes another, with these arguments if they are known: it is not output that the application demanded. */
  readonly undo?: { readonly arguments: Readonly<Record<string, unknown>> | undefined };
}

export interface MessageFacts {
  /** It asks how one does something, or says not to do anything. */
  readonly wantsNoChange: () => boolean;
  /** The user's last message refuses what the tool would do: "no, keep it". */
  readonly refuses: (tool: string, description: string | undefined) => boolean;
  /** It asks to look at something, and for nothing else. */
  readonly readsOnly: () => boolean;
  /** It only asks something back about what the assistant offers or reports: "which one?". */
  readonly asksBack: () => boolean;
  /** It is nothing but questions: "how many lines has main.ts?". */
  readonly onlyQuestions: () => boolean;
  /** It wants no change now: "let me see it first", "not yet", "just a few ideas", "is 20 too much?", "thanks, good night". */
  readonly holdsBack: () => boolean;
  /** It may agree to what the assistant has proposed: then the user is asked about a call that would otherwise be refused. */
  readonly mayAgree: () => boolean;
  /** What the assistant plainly offered before it, if it says yes to that. */
  readonly accepted: () => AcceptedOffer | undefined;
  /** The acts that it names. */
  readonly acts: () => UserActs;
}

/** Names of tools, since the session began or was reset. */
export interface ToolHistory {
  /** Tools of which a call succeeded: calls that the gateway itself released or ran, whatever the client's history says. */
  readonly succeeded: readonly string[];
  /** Tools of which a result was read: of such a call, or in the history that the client sends. */
  readonly read: readonly string[];
}

/** A tool call that the model made, its arguments already read strictly. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A window that a use counts in: at most `max` uses of `key` within `windowMs`. */
export interface RateWindow {
  /** `tool:NAME`, `family:NAME`, `category:NAME`, …: the tools that share the window. */
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/** What the store must count or look up after the pure rules have passed a call. */
export interface CountedChecks {
  readonly windows: readonly RateWindow[];
  /** Absent: none. */
  readonly limits?: readonly UseLimit[];
  /** Present for a tool that needs the user's first-time consent. A consent that is given with a call is valid only for its destinations. */
  readonly gate?: BoundDestinations & {
    readonly tool: string;
    /** The policy does not persist consents: only one for this session counts. */
    readonly perSession?: true;
  };
  /** Present if the user must confirm this call. A grant is valid only for the same destinations. */
  readonly confirmation?: BoundDestinations & {
    /** A grant is valid only for the profile that the user approved. Absent: for any. */
    readonly riskProfile?: string;
  };
  /** Present if the task's intents allow the tool's family only softly; counted for the task. */
  readonly soft?: { readonly families: readonly string[]; readonly intents: readonly string[]; readonly max: number };
}
