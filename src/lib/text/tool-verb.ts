/** The act that a tool's name names. Pure, and without the words for it: a page and a question have their own. */

const aliases = {
  append: "append",
  cancel: "cancel revoke",
  commit: "commit",
  copy: "copy cp duplicate clone",
  create: "create add new make mkdir insert",
  delete: "delete remove rm drop purge erase destroy trash unlink",
  deploy: "deploy",
  edit: "edit update modify change patch replace",
  fetch: "fetch browse visit download crawl",
  install: "install",
  merge: "merge",
  move: "move mv",
  pay: "pay buy",
  post: "post publish",
  push: "push",
  read: "read get view show cat list",
  refund: "refund",
  rename: "rename",
  run: "run execute exec bash shell",
  search: "search find query lookup grep",
  send: "send mail email notify forward",
  transfer: "transfer",
  upload: "upload",
  write: "write save overwrite",
} as const;

export type Verb = keyof typeof aliases;

const verbs = new Map<string, Verb>(
  Object.entries(aliases).flatMap(([verb, words]) => words.split(" ").map((word) => [word, verb as Verb] as const)),
);
const looks: ReadonlySet<Verb> = new Set(["read", "search", "fetch"]);
const changesNothing: ReadonlySet<string | null> = new Set(["read_only", "external"]);

interface NamedTool {
  readonly tool: string;
  /** Null: nobody knows. */
  readonly category: string | null;
}

/** Names begin with these where the verb comes last. No word of this list is a verb of a tool: `reject_refund` refunds nothing. */
const things: ReadonlySet<string> = new Set(
  (
    "file files folder directory dir path note notes mail email message messages calendar event contact contacts user account page document doc " +
    "docs database db table row fs git github gitlab repo repository branch web browser memory record item image issue task ticket order invoice " +
    "booking customer reminder code"
  ).split(" "),
);

/**
 * By the first word of the name; by the last one where the name begins with a thing (`file_delete`). A tool that may change something gets no
 * verb that only looks something up.
 */
export function verbOf({ tool, category }: NamedTool): Verb | undefined {
  const words = snakeCase(tool.slice(0, 200).split("__").at(-1) ?? "").split("_");
  const [first = ""] = words;
  const verb = verbs.get(first) ?? (things.has(first) ? verbs.get(words.at(-1) ?? "") : undefined);
  return verb !== undefined && looks.has(verb) && !changesNothing.has(category) ? undefined : verb;
}

export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
