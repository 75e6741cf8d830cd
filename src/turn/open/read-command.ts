/** What a user can write to the gateway itself, in any frontend. Pure. */

export type Command = "reset" | "status" | "undo" | "help";

const commands: ReadonlySet<string> = new Set<Command>(["reset", "status", "undo"]);

/** A word that is no command is answered with those there are: the model knows none of them. */
export function readCommand(message: string | undefined): Command | undefined {
  const match = /^\s*\/toolgate(?:\s+(\S+))?\s*$/i.exec(message ?? "");
  if (!match) return undefined;
  const word = match[1]?.toLowerCase() ?? "";
  return commands.has(word) ? (word as Command) : "help";
}

/** Asking how things stand, or what can be asked, changes nothing. */
export function onlyAsks(message: string | undefined): boolean {
  const command = readCommand(message);
  return command === "status" || command === "help";
}

/** The beginning of what `/toolgate undo` is answered where something waits: it begins no task then. */
export const QUESTION_FIRST =
  "Toolgate: nothing is undone yet, the open question comes first. Answer it, then write `/toolgate undo` again.";
