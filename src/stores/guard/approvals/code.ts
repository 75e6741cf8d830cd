/** The short code by which a person names a call that waits. */
import { makeCode } from "../../../approvals/codes.ts";
import { first } from "../schema.ts";

/** By chance, so that text in a conversation cannot know a code beforehand; not one of those that wait. */
export function freeCode(sql: SqlStorage): string {
  for (;;) {
    const chance = crypto.getRandomValues(new Uint32Array(5));
    const code = makeCode(Array.from(chance, (word) => word / 2 ** 32));
    if (!first(sql.exec("SELECT 1 AS one FROM approvals WHERE code = ? AND open = 1", code))) return code;
  }
}
