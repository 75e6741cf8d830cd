/** The short code by which a person names a call that waits. */
import { first } from "../schema.ts";

/** Letters and digits that cannot be mistaken for others; 32, so that each has the same chance. */
export const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** By chance, so that text in a conversation cannot know a code beforehand; not one of those that wait. */
export function freeCode(sql: SqlStorage): string {
  for (;;) {
    const code = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => codeAlphabet[byte % 32]).join("");
    // With a digit: `KILL` would be read as the word that it is.
    if (/\d/.test(code) && !first(sql.exec("SELECT 1 AS one FROM approvals WHERE code = ? AND open = 1", code)))
      return code;
  }
}
