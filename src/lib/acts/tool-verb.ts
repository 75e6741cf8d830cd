/**
 * The act that a tool's name names, for the titles of questions and the labels of buttons. Pure. Pages and questions have their own wording.
 * Separate from `verbs-in-names.ts`: only these verbs have such wording, and pages load this file, but not that table.
 */
import { keysByWord } from "./read-table.ts";

const aliases = {
  activate: "activate enable",
  add: "add",
  append: "append",
  archive: "archive",
  assign: "assign reassign",
  book: "book reserve",
  cancel: "cancel revoke",
  close: "close",
  commit: "commit",
  copy: "copy cp duplicate clone",
  create: "create new make mkdir insert",
  deactivate: "deactivate disable",
  delete: "delete rm drop purge erase destroy trash unlink",
  deploy: "deploy",
  download: "download",
  edit: "edit update modify change patch replace",
  fetch: "fetch browse visit crawl",
  install: "install",
  invite: "invite",
  label: "label tag",
  lock: "lock",
  mark: "mark flag",
  merge: "merge",
  move: "move mv",
  open: "open reopen",
  pause: "pause",
  pay: "pay buy",
  pin: "pin star",
  play: "play",
  post: "post publish",
  push: "push",
  read: "read get view show cat list",
  refund: "refund",
  remove: "remove",
  rename: "rename",
  reply: "reply respond",
  resume: "resume unpause",
  run: "run execute exec bash shell",
  save: "save",
  search: "search find query lookup grep",
  send: "send mail email notify forward",
  set: "set adjust dim brighten",
  share: "share",
  start: "start",
  stop: "stop",
  toggle: "toggle switch",
  transfer: "transfer",
  /** With two words: `turn_on`. */
  turnOff: "",
  turnOn: "",
  unlock: "unlock",
  upload: "upload",
  write: "write overwrite",
} as const;

export type Verb = keyof typeof aliases;

const verbs = keysByWord<Verb>(aliases);
const looks: ReadonlySet<Verb> = new Set(["read", "search", "fetch"]);
const changesNothing: ReadonlySet<string | null> = new Set(["read_only", "external"]);

interface NamedTool {
  readonly tool: string;
  /** Null: not known. */
  readonly category: string | null;
}

/** Nouns at the beginning of a name whose verb comes last (`file_delete`, `email_delete`). */
const things: ReadonlySet<string> = new Set(
  (
    "file files folder directory dir path note notes mail email message messages calendar event contact contacts user account page document doc " +
    "docs database db table row fs git github gitlab repo repository branch web browser memory record item image issue task ticket order invoice " +
    "booking customer reminder code post comment thread"
  ).split(" "),
);

/** Verbs that prevent what the rest of a name says: to reject a refund is not to refund, and to decline a booking is not to change it. */
const opposing: ReadonlySet<string> = new Set(
  "reject decline deny refuse dispute hold withhold stop block unblock freeze suspend void revoke undo revert waive ignore skip".split(
    " ",
  ),
);

export const isOpposing = (verb: string): boolean => opposing.has(verb);

/** Verbs that take back what a name says before them: `merge_abort`, `deploy_rollback`, `post_unpublish`. */
const undoing: ReadonlySet<string> = new Set(
  "abort rollback recall reverse disable discard protect dismiss clear abandon unset unsend unpay unpublish unshare unsubscribe disconnect return".split(
    " ",
  ),
);
const takingBack: ReadonlySet<Verb | undefined> = new Set(["delete", "remove", "cancel"]);
const joining: ReadonlySet<string> = new Set(["and", "then", "or", "und", "oder", "y"]);

/** The word of a name that takes back what its other words say: `reject` in `transfer_reject`. None in `cancel_hold` and `get_dispute`. */
export function undoingWord(words: readonly string[]): string | undefined {
  const [first = ""] = words;
  const verb = verbs.get(first);
  if (takingBack.has(verb) || verb === "create" || verb === "add" || isOpposing(first)) return undefined;
  const mayOppose = verb === undefined || !looks.has(verb);
  const takesBack = (word: string) => undoing.has(word) || takingBack.has(verbs.get(word));
  return words.slice(1).findLast((word) => takesBack(word) || (mayOppose && isOpposing(word)));
}

/** Whether a name holds several acts: `create_and_send_invoice`, but not `list_files_and_folders`. */
export function joinsActs(words: readonly string[]): boolean {
  const isThing = (word: string) => things.has(word) || things.has(word.replace(/s$/, ""));
  return words.some(
    (word, at) => joining.has(word) && at > 0 && at < words.length - 1 && !isThing(words[at + 1] ?? ""),
  );
}

/** Verbs that are also nouns: if a name begins with one and ends with another verb, the other is its verb. */
const alsoNouns: ReadonlySet<string> = new Set(
  (
    "transfer copy clone upload download email mail message post merge push commit deploy run search query update change edit patch move " +
    "refund visit browse save write set lock label tag book share reply mark flag pin star play pause start stop open close switch archive"
  ).split(" "),
);
/** Those that are nouns before what is looked at: `book_search`, `label_list`, `share_price`. But `run_query` runs it. */
const nounsOfLooks: ReadonlySet<string> = new Set(
  "transfer message post merge commit deploy refund label tag book share reply flag pin star".split(" "),
);
const lookedAt: ReadonlySet<string> = new Set(
  "price prices count value rate total status history info details stats".split(" "),
);
/** Verbs that a name about a thing may end with, and that have no wording: `email_archive` sends nothing. */
const otherActs: ReadonlySet<string> = new Set(
  "archive unarchive snooze mute pin star approve accept close reopen unlock restore".split(" "),
);
/** As those, but also names for the result of an act: `run_report`. */
const otherActsOfThings: ReadonlySet<string> = new Set("flag mark report label tag schedule lock block".split(" "));

/** Services that names begin with: `notion-update-page`. They are no verbs, so the act follows them. */
const services: ReadonlySet<string> = new Set(
  (
    "notion github gitlab bitbucket gitea jira confluence linear asana trello monday clickup todoist slack discord telegram teams zoom google gmail " +
    "gdrive outlook onedrive sharepoint dropbox hass homeassistant kubectl k8s kubernetes helm docker terraform aws azure gcp cloudflare vercel " +
    "netlify supabase firebase postgres postgresql mysql sqlite mongo mongodb redis elasticsearch snowflake bigquery playwright puppeteer shopify " +
    "stripe paypal hubspot salesforce zendesk intercom figma airtable sentry datadog grafana twilio sendgrid mailchimp obsidian spotify youtube mcp"
  ).split(" "),
);

const isPrefix = (word: string): boolean => services.has(word) || /^[a-z]{4,20}(?<![suiy])s$/.test(word);

/**
 * The words of a tool's name without the prefix that other tools share: a service, or what the tool is about, in the plural
 * (`conversations_add_message`).
 */
export function wordsOfName(tool: string, isVerb: (word: string) => boolean = (word) => verbs.has(word)): string[] {
  const words = snakeCase(tool.slice(0, 200).split("__").at(-1) ?? "")
    .split("_")
    .filter((word) => word !== "");
  const [first = "", second = ""] = words;
  const names = (word: string) => isVerb(word) || verbs.has(word) || opposing.has(word);
  // "Deletes" and "cancels" are no plurals, but the third person of a verb.
  const isPlain = !names(first) && !names(first.replace(/e?s$/, "")) && !names(first.replace(/s$/, ""));
  return isPrefix(first) && isPlain && names(second) && !opposing.has(second) ? words.slice(1) : words;
}

/**
 * By the first word of the name, or by the last if the name begins with a thing or with a verb that is a noun too (`file_delete`,
 * `transfer_cancel`). None if a name holds several acts or takes one back: `reject_refund` refunds nothing, and `merge_abort` merges
 * nothing. A tool that may change something gets no verb that only looks something up.
 */
export function verbOf({ tool, category }: NamedTool): Verb | undefined {
  const words = wordsOfName(tool);
  const verb = joinsActs(words) ? undefined : verbIn(words);
  return verb !== undefined && looks.has(verb) && !changesNothing.has(category) ? undefined : verb;
}

function verbIn(words: readonly string[]): Verb | undefined {
  const [, state] = /(?:^|_)(?:turn|switch)_(on|off)(?:_|$)/.exec(words.join("_")) ?? [];
  if (state !== undefined && undoingWord(words) === undefined) return state === "on" ? "turnOn" : "turnOff";
  const [first = "", ...others] = words;
  const last = others.at(-1) ?? "";
  const isThing = things.has(first);
  // `file_undo_delete` deletes nothing.
  if (isThing && words.slice(1, -1).some((word) => isOpposing(word) || verbs.has(word))) return undefined;
  // `note_book` and `address_book` are nouns.
  if (isThing && last === "book") return undefined;
  const ended = verbs.get(last);
  if (nounsOfLooks.has(first) && ((ended !== undefined && looks.has(ended)) || lookedAt.has(last))) return ended;
  const isLast = isThing || (alsoNouns.has(first) && !alsoNouns.has(last));
  const atEnd = isLast ? verbs.get(last) : undefined;
  const undone = undoingWord(words);
  if (undone !== undefined) return undone === last && takingBack.has(atEnd) ? atEnd : undefined;
  const isOther = (isLast && otherActs.has(last)) || (isThing && otherActsOfThings.has(last));
  if (isOther && atEnd === undefined) return undefined;
  return (atEnd !== undefined && (isThing || !looks.has(atEnd)) ? atEnd : undefined) ?? verbs.get(first);
}

export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
