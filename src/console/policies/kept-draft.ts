/** Stores the draft of a policy for this tab: it survives a reload and a visit to another page. */
import { isObject } from "../../lib/json/json-value.ts";
import { inTab } from "../shell/browser-storage.ts";
import { me } from "../sign-in/me.ts";

interface KeptDraft {
  readonly text: string;
  /** The version in force when the draft was started. Null: there was none. */
  readonly base: string | null;
}

/** The key contains the user: another user who signs in here must not get this draft. */
const nameOf = (tenant: string): string => `toolgate.policy-draft ${tenant} ${me.peek()?.user ?? ""}`;

export function keptDraft(tenant: string): KeptDraft | undefined {
  try {
    const kept: unknown = JSON.parse(inTab.getItem(nameOf(tenant)) ?? "null");
    if (!isObject(kept) || typeof kept.text !== "string") return undefined;
    return { text: kept.text, base: typeof kept.base === "string" ? kept.base : null };
  } catch {
    return undefined;
  }
}

/** If the browser has no space for it, it lasts only as long as the page. */
export function keepDraft(tenant: string, draft: KeptDraft): void {
  try {
    inTab.setItem(nameOf(tenant), JSON.stringify(draft));
  } catch {}
}

export const forgetDraft = (tenant: string): void => inTab.removeItem(nameOf(tenant));
