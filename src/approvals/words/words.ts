/** What every language must have. `{name}` is filled in. Texts are plain; those of `frame` are Markdown. */
import type { Category } from "../../policy/selectors.ts";

export interface Words {
  /** What a tool of the category does, where the policy does not say what this one does. */
  readonly does: Readonly<Record<Category, string>>;
  readonly title: TitleWords;
  readonly effects: EffectWords;
  /** A set of patterns, by its name; others are told by their own. */
  readonly attack: Readonly<Record<string, string>>;
  readonly moreLines: string;
  readonly and: string;
  readonly sentence: { readonly end: string; readonly space: string };
  readonly frame: FrameWords;
  readonly replies: ReplyWords;
  /** Why tools are withheld, and what the user can write. */
  readonly wayForward: {
    readonly untrusted: string;
    /** Behind it. */
    readonly example: string;
    /** The source, where the tool is not known, and where it is. */
    readonly earlier: string;
    readonly of: string;
  };
  readonly problems: ProblemWords;
  readonly grant: GrantWords;
  readonly runs: RunWords;
}

/** What a call is asked by; `{object}` is the value that it is about. */
export interface TitleWords {
  readonly verbs: Readonly<Record<Verb, string>>;
  /** Stands for an object that no argument names. */
  readonly something: string;
  /** Of a tool whose name tells no act. */
  readonly use: string;
  readonly useWith: string;
  /** The policy's words, with the object and without; and what is asked after a sentence of the policy's. */
  readonly described: string;
  readonly describedWith: string;
  readonly proceed: string;
}

/** Acts that a tool's name can tell. */
export type Verb =
  | "append"
  | "cancel"
  | "commit"
  | "copy"
  | "create"
  | "delete"
  | "deploy"
  | "edit"
  | "fetch"
  | "install"
  | "merge"
  | "move"
  | "pay"
  | "post"
  | "push"
  | "read"
  | "refund"
  | "rename"
  | "run"
  | "search"
  | "send"
  | "transfer"
  | "upload"
  | "write";

/** What follows from a call, each a sentence. */
export interface EffectWords {
  readonly takesBack: string;
  readonly brackets: { readonly open: string; readonly close: string };
  readonly suspicious: string;
  readonly firstUse: string;
  readonly goesTo: string;
  readonly leaves: string;
  readonly hidden: string;
  readonly modifies: string;
  readonly undoneWith: string;
  readonly undoable: string;
  readonly notUndoable: string;
  readonly notTakenBack: string;
}

export interface FrameWords {
  readonly several: string;
  readonly options: {
    readonly yes: string;
    readonly no: string;
    readonly edit: string;
    readonly preview: string;
    readonly learnMore: string;
    readonly always: string;
  };
  /** `yes all`, and what stands for a field that is edited. */
  readonly allExample: string;
  readonly field: string;
  /** Beside a name: an escape stands in the value. */
  readonly escaped: string;
  readonly hidden: string;
  readonly cutValue: string;
  readonly moreValues: string;
  readonly reply: string;
  readonly replySeveral: string;
  readonly codeMustBeTyped: string;
  /** Behind it, where it is because of what others wrote. */
  readonly whyTyped: string;
  readonly edit: string;
  readonly always: string;
  readonly enables: string;
  readonly enablesHere: string;
  /** Behind it, where each call is asked about besides. */
  readonly stillAsked: string;
  readonly preview: string;
  readonly learnMore: string;
  readonly stands: string;
  readonly link: string;
  /** Of calls that did not run, by their tools. */
  readonly cancelled: string;
  readonly expired: string;
}

/** Plain; the frame follows. */
export interface ReplyWords {
  readonly whichOne: string;
  readonly typeCode: string;
  readonly wrongCode: string;
  readonly unread: string;
  readonly codeAlone: string;
  readonly stillWaiting: string;
  readonly nothingWaits: string;
  readonly decidedElsewhere: string;
  readonly notEditable: string;
  readonly howToEdit: string;
  readonly unknownField: string;
  readonly strayField: string;
  readonly badValue: string;
  readonly badJson: string;
  readonly nothingChanged: string;
  readonly noGrant: string;
  readonly noPreview: string;
  readonly preview: string;
  readonly learnMore: string;
  readonly wholeValues: string;
  readonly wholeLeft: string;
  readonly nothingMore: string;
}

/** Why a value does not fit. */
export interface ProblemWords {
  readonly number: string;
  readonly integer: string;
  readonly boolean: string;
  readonly array: string;
  readonly object: string;
  readonly oneOf: string;
  readonly or: string;
}

export interface GrantWords {
  readonly tool: string;
  readonly here: string;
  readonly everywhere: string;
  readonly until: string;
  readonly untilWithdrawn: string;
  readonly equals: string;
  readonly matches: string;
  readonly join: string;
}

/** Of tools that Toolgate runs itself. */
export interface RunWords {
  /** What came of taking a call back. */
  readonly undone: string;
  readonly notUndone: string;
  readonly perhapsUndone: string;
  /** Behind it: what the tool's own server, or the gateway, said. */
  readonly why: string;
  /** What came of a call that was approved, while others wait. */
  readonly done: string;
  readonly notDone: string;
  readonly perhapsDone: string;
  /** Nothing was begun, since a provider is not linked; `link` tells which, for each tool. */
  readonly notLinked: string;
  readonly link: string;
}
