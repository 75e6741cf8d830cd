/**
 * Decides which arguments of a tool carry authority: those whose values an attacker wants to change. Pure.
 *
 * Destinations, in every call that changes something and in readers that reach out. Objects, if the call destroys, commits,
 * pays or gives access: to create, append and read is daily work, and asking about it would be noise. Amounts, if the policy
 * says so, and in a payment if the user says how much.
 */
import type { Category, ToolClass } from "../selectors.ts";
import type { CallValue } from "./roles/argument-roles.ts";
import type { ToolEffect } from "./roles/tool-verbs.ts";

interface AuthorityFacts {
  readonly category: Category;
  readonly class: ToolClass;
  /** Its effects by its name and description; empty if they say nothing. */
  readonly effects: ReadonlySet<ToolEffect>;
}

export interface Authority {
  /** The call changes something. */
  readonly changes: boolean;
  /** Its changes cannot simply be undone, so it matters which object it changes. */
  readonly isGrave: boolean;
  /** It only makes something new, whose name cannot be known before. */
  readonly makesNew: boolean;
  readonly pays: boolean;
  /** Its name or its description says what it does. */
  readonly isKnown: boolean;
  readonly effects: ReadonlySet<ToolEffect>;
}

const GRAVE: readonly ToolEffect[] = ["destroy", "commit", "pay", "access", "execute"];

export function authorityOf({ category, class: cls, effects }: AuthorityFacts): Authority {
  const changes = cls === "destructive" || category !== "read_only";
  // A name that says nothing is no reason to trust the tool.
  const isGrave = changes && (effects.size === 0 || GRAVE.some((effect) => effects.has(effect)));
  const makesNew = effects.has("create") && !effects.has("change");
  return { changes, isGrave, makesNew, pays: effects.has("pay"), isKnown: effects.size > 0, effects };
}

export function hasAuthority(
  { changes, isGrave }: Pick<Authority, "changes" | "isGrave">,
  { role }: Pick<CallValue, "role">,
): boolean {
  switch (role.role) {
    case "destination":
      return changes || role.reaches === true || role.set === true;
    case "object":
      return isGrave;
    case "amount":
      return role.set === true;
    case "content":
      return false;
  }
}
