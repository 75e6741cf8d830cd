/** Guesses a tool's kind of act by its name, for its icon and colour. Display only: no decision depends on it. Pure. */

const KINDS = ["destroy", "money", "mail", "shell", "web", "note", "search", "write", "read"] as const;
export type ActKind = (typeof KINDS)[number] | "other";

const WORDS: Readonly<Record<(typeof KINDS)[number], RegExp>> = {
  destroy: /^(delete|remove|drop|destroy|erase|purge|wipe|cancel|revoke)$/,
  money: /^(pay|payment|refund|transfer|charge|invoice|purchase|order|buy|checkout)$/,
  mail: /^(mail|email|message|send|post|reply|notify|slack|sms|chat)$/,
  shell: /^(shell|bash|exec|execute|command|terminal|run|script)$/,
  web: /^(fetch|http|url|browse|browser|open|download|crawl|web)$/,
  note: /^(note|notes|memo|journal|calendar|event|reminder)$/,
  search: /^(search|find|query|lookup|grep|list)$/,
  write: /^(write|edit|create|update|patch|save|insert|set|add|move|rename|upload|apply)$/,
  read: /^(read|get|show|view|load|cat|status)$/,
};

export function actKind(tool: string): ActKind {
  const words = tool
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  // A tool whose name begins with such a verb only reads, whatever the other words are.
  const looks = (["search", "read"] as const).find((kind) => WORDS[kind].test(words[0] ?? ""));
  return looks ?? KINDS.find((kind) => words.some((word) => WORDS[kind].test(word))) ?? "other";
}
