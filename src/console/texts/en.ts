/** The shared texts of the pages, in English. The gateway describes what a call does, in the language of its conversation. */

/** How many calls wait for the signed-in user, and for other users. */
export interface WaitingCounts {
  readonly mine: number;
  readonly others: number;
  /** The other user, if there is only one. */
  readonly person: string | undefined;
  /** Whether the signed-in user may answer for others. */
  readonly may?: boolean;
}

type GrantLength = "session" | "hours" | "month" | "open";

const list = (all: readonly string[]) => new Intl.ListFormat("en").format(all);
const calls = (count: number, person: string) =>
  count === 1 ? `One call waits for ${person}` : `${count} calls wait for ${person}`;

export const en = {
  nav: {
    label: "Console",
    waiting: "Waiting",
    history: "History",
    allowed: "Allowed",
    you: "You",
    overview: "Overview",
    sessions: "Sessions",
    audit: "Audit",
    policy: "Policy",
    playground: "Playground",
    tools: "Tools",
    users: "Users",
    settings: "Settings",
    skip: "Skip to content",
  },
  shell: {
    groups: { own: "Yours", operators: "Operate" },
    goTo: "Go to",
    goToHint: "A page, or what to do",
    nothingFound: "Nothing has that name.",
    more: "More",
    undo: "Undo",
    missingTitle: "This page could not be loaded",
    missing: "There is no connection, or the gateway has just been updated.",
    reload: "Load again",
  },
  link: {
    connecting: "Connecting",
    live: "Live",
    polling: "Every few seconds",
    offline: "Offline — trying again",
    offlineNote: "No connection. What you see may be old; nothing is decided until it is back.",
  },
  waiting: {
    headline: ({ mine, others, person, may = false }: WaitingCounts) => {
      if (others === 0) return calls(mine, "you");
      if (mine > 0) return `${mine + others} calls wait, ${mine} of them for you`;
      if (may) return others === 1 ? "One call you may answer" : `${others} calls you may answer`;
      return calls(others, person ?? "others");
    },
    none: "Nothing waits for you.",
    noneAtAll: "Nothing waits for anybody.",
    noneNote: "When an assistant wants to do something that needs your word, it shows up here by itself.",
    showOthers: (count: number, more: boolean) =>
      count === 1 && !more
        ? "Show one call that waits for somebody else"
        : `Show ${count}${more ? "+" : ""} calls that wait for others`,
    arrived: (tool: string) => `New: ${tool} waits for your answer.`,
    notification: (tool: string) => `${tool} waits for your answer`,
  },
  scope: { label: "Whose calls are shown", own: "Mine", all: "Everybody's" },
  card: {
    turn: "See the turn",
    code: "Code",
    left: (time: string) => `${time} left`,
    over: "Time is up",
    asked: (time: string) => `asked ${time}`,
    askedOf: (user: string, time: string) => `asked of ${user} ${time}`,
    youWrote: "You wrote",
    wrote: (user: string) => `${user} wrote`,
    othersInline: (user: string) =>
      `The chat has asked ${user} this too. Once it is answered, ${user} must write “continue” there.`,
    channel: {
      inline: "The chat has asked this too. Once you have answered, write “continue” there.",
      hold: "The chat is holding its reply until you answer.",
      native: "Your app has asked this too; it goes on with its next request.",
    },
    plan: {
      step: (number: number, total: number) => `Step ${number} of ${total} of a plan`,
      hold: "The plan’s run waits for your answer.",
      native: "Your answer is kept; the call runs when the plan is run again.",
    },
    changes: "What changes",
    added: "added",
    removed: "removed",
    values: "With these values",
    hidden: "hidden",
    number: "number",
    escaped: "with escapes",
    reveal: "Reveal",
    revealOne: (name: string) => `Reveal ${name}`,
    showAll: (characters: number) => `Show all ${characters.toLocaleString("en")} characters`,
    asJson: "As JSON",
    learnMore: "Learn more",
    noValues: "Without any values.",
  },
  expired: {
    label: "Expired",
    note: "Nobody answered in time, so the call did not run.",
    unknown: "Time is up. The gateway has not said yet what became of the call.",
    dismiss: "Dismiss",
    announced: (tool: string) => `Time is up: ${tool} waits no more.`,
  },
  answer: {
    approve: "Approve",
    seeFirst: "Show everything",
    enable: {
      session: (tool: string) => `Also enable ${tool} for this conversation`,
      withdrawn: (tool: string) => `Also enable ${tool} from now on, until I withdraw it`,
    },
    endorse: (tool: string) =>
      `Also accept other addresses, names and numbers from this result of ${tool} for this task, without asking again`,
    deny: "Deny",
    edit: "Edit",
    always: "Always allow\u00a0…",
    sending: "Sending\u00a0…",
    sendingTool: (tool: string) => `Sending your answer for ${tool}.`,
    readFirst: "Read the rest first, then approve.",
    cancel: "Back",
    reason: "Why not? (optional)",
    reasonHint: "The assistant is told, and can take another way.",
    denyNow: "Deny",
    editTitle: "Edit before it runs",
    editNow: "Approve as edited",
    unchanged: "Nothing is changed yet.",
    done: {
      approve: (tool: string) => `Approved: ${tool}.`,
      deny: (tool: string) => `Denied: ${tool}.`,
      edit: (tool: string) => `Approved as edited: ${tool}.`,
      grant: (tool: string) => `Approved, and allowed from now on: ${tool}.`,
    },
    othersDeny: "Only the person who is asked can approve this. You can deny it.",
  },
  grant: {
    title: "Always allow",
    howLong: "For how long?",
    length: {
      session: "This conversation",
      hours: "8 hours",
      month: "30 days",
      open: "Until I withdraw it",
    },
    onlyIf: "Only if",
    is: (name: string, value: string) => `${name} is ${value}`,
    sentence: (tool: string, length: GrantLength, conditions: readonly string[]) => {
      const where = {
        session: " in this conversation",
        hours: " for the next 8 hours",
        month: " for the next 30 days",
        open: "",
      };
      const only = conditions.length > 0 ? `, only if ${list(conditions)}` : "";
      const end = length === "open" ? ", until you withdraw it" : "";
      return `${tool} will run without asking you${where[length]}${only}${end}.`;
    },
    bounded: "It may end sooner: the policy bounds what lasts.",
    submit: "Approve and allow",
  },
  form: {
    hidden: "Hidden. It stays as it is.",
    replace: "Replace",
    leaveOut: "Leave out",
    leftOut: "Left out.",
    fill: "Add",
    none: "Set to nothing",
    json: "As JSON",
    add: "Add one",
    remove: (index: number) => `Remove ${index}`,
    item: (name: string, index: number) => `${name}, ${index}`,
    yes: "Yes",
    no: "No",
    faults: {
      number: "Write a number.",
      whole: "Write a whole number.",
      digits: "No number is kept with so many digits. Write fewer.",
      json: "This is not JSON, or holds a name twice.",
      missing: "This is needed.",
    },
  },
  history: {
    title: "History",
    none: "No call has been answered or has expired yet.",
    status: { pending: "waits", approved: "approved", denied: "denied", expired: "expired", cancelled: "cancelled" },
    edited: "approved, edited",
    by: (user: string) => `by ${user}`,
    askedOf: (user: string) => `asked of ${user}`,
    reason: (words: string) => `“${words}”`,
    undo: "Undo",
    undone: "Undone.",
    undoInChat: (tool: string) =>
      `Write “/toolgate undo” in the conversation: it takes back the latest call that can be undone there, with ${tool}.`,
    cannotUndo: "This call cannot be undone from here.",
    more: "Show older",
  },
  allowed: {
    title: "Allowed",
    lead: "What runs without asking you, until it ends or you withdraw it.",
    grants: "Always allowed",
    gates: "Services you have enabled",
    noGrants: "You have allowed nothing for good.",
    noGates: "No external service is enabled.",
    since: (date: string) => `since ${date}`,
    thisSession: "in one conversation",
    onlyTo: (places: string) => `only to ${places}`,
    everySession: "in every conversation",
    withdraw: "Withdraw",
    withdrawTool: (tool: string) => `Withdraw ${tool}`,
    withdrawn: (tool: string) => `Withdrawn: ${tool}. It asks again from now on.`,
  },
  you: {
    title: "You",
    tenant: "Organisation",
    user: "Name",
    role: "Role",
    notifications: "Notify me",
    notificationsNote: "While this page is open in the background, this browser tells you what waits.",
    notificationsBlocked: "This browser does not allow it.",
    keptHere: "You stay signed in on this device.",
    keptTab: "You are signed in until this tab is closed.",
    signOut: "Sign out",
  },
  keys: {
    title: "Keys",
    next: "next call",
    previous: "previous call",
    approve: "approve",
    deny: "deny",
    edit: "edit",
    choose: "choose, to answer several together",
    help: "show these",
    close: "Close",
  },
  failure: {
    unreachable: "The gateway does not answer. Try again.",
    other: "That did not work.",
    retry: "Try again",
  },
  opening: "Opening …",
  notFound: "There is no such page.",
  notYours: (user: string) => `This page is for admins; you are signed in as ${user}.`,
};

/** The type of the texts in every language. */
export type Texts = typeof en;
