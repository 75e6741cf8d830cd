/** The draft of a policy while somebody is at it, in this tab: a reload, or another page, does not lose it. */
import { isObject } from "../../lib/json/json-value.ts";
import { inTab } from "../shell/browser-storage.ts";
import { me } from "../sign-in/me.ts";

interface KeptDraft {
  readonly text: string;
  /** The version in force when the draft was begun. Null: there was none. */
  readonly base: string | null;
}

/** Another person who signs in here gets no draft of this one's. */
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

/** Where the browser has no room for it, it lasts as long as the page. */
export function keepDraft(tenant: string, draft: KeptDraft): void {
  try {
    inTab.setItem(nameOf(tenant), JSON.stringify(draft));
  } catch {}
}

export const forgetDraft = (tenant: string): void => inTab.removeItem(nameOf(tenant));
