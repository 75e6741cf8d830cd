/** What a user can write to the gateway itself, in any frontend. Pure. */

export type Command = "reset" | "status" | "undo";

export function readCommand(message: string | undefined): Command | undefined {
  const match = /^\s*\/toolgate\s+(reset|status|undo)\s*$/i.exec(message ?? "");
  return match?.[1]?.toLowerCase() as Command | undefined;
}
