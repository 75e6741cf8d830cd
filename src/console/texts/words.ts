/** Every text of the pages. What a call does is told by the gateway, in the language of its conversation. */
import type { AnswerAction, ApprovalStatus, Channel } from "../../approvals/approval.ts";
import type { FieldFault } from "../form/draft.ts";
import type { GrantLength } from "../inbox/card/grant-panel.tsx";
import type { WaitingCounts } from "../inbox/scope.tsx";

export interface Words {
  readonly signIn: {
    readonly title: string;
    readonly lead: string;
    readonly refused: string;
    readonly with: (name: string) => string;
    readonly or: string;
    readonly key: string;
    readonly keyHint: string;
    readonly keep: string;
    readonly submit: string;
    readonly development: string;
    readonly coming: string;
    readonly again: string;
  };
  readonly nav: {
    readonly label: string;
    readonly waiting: string;
    readonly history: string;
    readonly allowed: string;
    readonly you: string;
    readonly skip: string;
  };
  readonly link: Readonly<Record<"connecting" | "live" | "polling" | "offline", string>> & {
    readonly offlineNote: string;
  };
  readonly waiting: {
    /** Of a list that is not empty: how many calls wait, and for whom. */
    readonly headline: (counts: WaitingCounts) => string;
    readonly none: string;
    /** For an operator who looks at everybody's calls. */
    readonly noneAtAll: string;
    readonly noneNote: string;
    /** @param more whether there are more than `count`. */
    readonly showOthers: (count: number, more: boolean) => string;
    readonly arrived: (tool: string) => string;
    readonly notification: (tool: string) => string;
  };
  readonly scope: {
    readonly label: string;
    readonly own: string;
    readonly all: string;
  };
  readonly card: {
    readonly code: string;
    readonly left: (time: string) => string;
    readonly over: string;
    /** @param time such as `2 min ago`. */
    readonly asked: (time: string) => string;
    readonly askedOf: (user: string, time: string) => string;
    readonly channel: Readonly<Record<Channel, string>>;
    /** Of a call that is a step of a plan. */
    readonly plan: Readonly<Record<Exclude<Channel, "inline">, string>> & {
      readonly step: (number: number, total: number) => string;
    };
    readonly changes: string;
    readonly added: string;
    readonly removed: string;
    readonly values: string;
    readonly hidden: string;
    /** Beside a value in which something stands as an escape. */
    readonly escaped: string;
    readonly reveal: string;
    readonly revealOne: (name: string) => string;
    readonly showAll: (characters: number) => string;
    readonly learnMore: string;
    readonly noValues: string;
  };
  readonly expired: {
    readonly label: string;
    readonly note: string;
    /** The time is up by the clock, and the gateway has not said what became of the call. */
    readonly unknown: string;
    readonly dismiss: string;
    readonly announced: (tool: string) => string;
  };
  readonly answer: {
    readonly approve: string;
    /** In its place while there are values that are not in view. */
    readonly seeFirst: string;
    readonly enable: Readonly<Record<"session" | "withdrawn", (tool: string) => string>>;
    readonly deny: string;
    readonly edit: string;
    readonly always: string;
    readonly sending: string;
    readonly sendingTool: (tool: string) => string;
    /** The first press of approve has brought the person to what they had not seen. */
    readonly readFirst: string;
    readonly cancel: string;
    readonly reason: string;
    readonly reasonHint: string;
    readonly denyNow: string;
    readonly editTitle: string;
    readonly editNow: string;
    readonly unchanged: string;
    readonly done: Readonly<Record<AnswerAction | "grant", (tool: string) => string>>;
    readonly elsewhere: (tool: string) => string;
    readonly othersDeny: string;
  };
  readonly grant: {
    readonly title: string;
    readonly howLong: string;
    readonly length: Readonly<Record<GrantLength, string>>;
    readonly onlyIf: string;
    readonly is: (name: string, value: string) => string;
    readonly sentence: (tool: string, length: GrantLength, conditions: readonly string[]) => string;
    readonly bounded: string;
    readonly submit: string;
  };
  readonly form: {
    readonly hidden: string;
    readonly replace: string;
    readonly keepHidden: string;
    readonly leaveOut: string;
    readonly leftOut: string;
    readonly fill: string;
    readonly none: string;
    readonly json: string;
    readonly add: string;
    readonly remove: (index: number) => string;
    readonly item: (name: string, index: number) => string;
    readonly yes: string;
    readonly no: string;
    readonly faults: Readonly<Record<FieldFault, string>>;
  };
  readonly history: {
    readonly title: string;
    readonly none: string;
    readonly status: Readonly<Record<ApprovalStatus, string>>;
    readonly edited: string;
    readonly by: (user: string) => string;
    readonly askedOf: (user: string) => string;
    readonly reason: (words: string) => string;
    readonly undo: string;
    readonly undone: string;
    readonly undoInChat: (tool: string) => string;
    readonly cannotUndo: string;
    readonly more: string;
  };
  readonly allowed: {
    readonly title: string;
    readonly lead: string;
    readonly grants: string;
    readonly gates: string;
    readonly noGrants: string;
    readonly noGates: string;
    readonly since: (date: string) => string;
    readonly thisSession: string;
    readonly everySession: string;
    readonly withdraw: string;
    readonly withdrawTool: (tool: string) => string;
    readonly withdrawn: (tool: string) => string;
  };
  readonly you: {
    readonly title: string;
    readonly tenant: string;
    readonly user: string;
    readonly role: string;
    readonly notifications: string;
    readonly notificationsNote: string;
    readonly notificationsBlocked: string;
    readonly keptHere: string;
    readonly keptTab: string;
    readonly signOut: string;
  };
  readonly keys: {
    readonly title: string;
    readonly next: string;
    readonly previous: string;
    readonly approve: string;
    readonly deny: string;
    readonly edit: string;
    readonly help: string;
    readonly close: string;
  };
  readonly failure: {
    readonly unreachable: string;
    readonly other: string;
    readonly retry: string;
  };
  readonly opening: string;
  readonly notFound: string;
}
