/** Scope of the inbox: the user's own calls or, for operators, those of the whole tenant. */
import { computed, effect, signal } from "@preact/signals";
import type { ApprovalView, ListOf } from "../../api-views/approval-views.ts";
import { call } from "../api/call.ts";
import { inTab } from "../shell/browser-storage.ts";
import { me } from "../sign-in/me.ts";
import type { WaitingCounts } from "../texts/en.ts";
import { texts } from "../texts/texts.ts";
import { approvalOf, waiting } from "./approvals.ts";
import { waitUntilAwake } from "./connection.ts";

const NAME = "toolgate.scope";
const wanted = signal(inTab.getItem(NAME) === "tenant");

export const wholeTenant = computed(() => wanted.value && me.value?.sees_tenant === true);

export function showWholeTenant(whole: boolean): void {
  inTab.setItem(NAME, whole ? "tenant" : "own");
  wanted.value = whole;
}

/** The scope as a parameter of a list's query. */
export const scopeQuery = (whole: boolean): string => (whole ? "&scope=tenant" : "");

/** @param self the signed-in user. An approval without a user is theirs. */
export function countWaiting(all: readonly Pick<ApprovalView, "user">[], self: string | undefined): WaitingCounts {
  const others = all.flatMap(({ user }) => (user === undefined || user === self ? [] : [user]));
  const people = new Set(others);
  return {
    mine: all.length - others.length,
    others: others.length,
    person: people.size === 1 ? others[0] : undefined,
  };
}

const EVERY_MS = 30_000;
const MOST = 100;

/** Counts of the calls that the page shows. */
export const waitingCounts = computed<WaitingCounts>(() => ({
  ...countWaiting(
    waiting.value.flatMap((id) => approvalOf(id) ?? []),
    me.value?.user,
  ),
  may: me.value?.approves_for_others === true,
}));

interface OthersWaiting {
  readonly count: number;
  /** There are more than the page has counted. */
  readonly more: boolean;
}

const countedOthers = signal<OthersWaiting | undefined>(undefined);

/** Undefined until known, and always for users who are no operators. */
export const othersWaiting = computed<OthersWaiting | undefined>(() =>
  wholeTenant.value ? { count: waitingCounts.value.others, more: false } : countedOthers.value,
);

/** Polls how many calls of other users wait, for an operator who sees only their own; a stream for this number would cost too much. */
export function countOthersWaiting(): void {
  effect(() => {
    const who = me.value;
    countedOthers.value = undefined;
    if (!who?.sees_tenant || wholeTenant.value) return;
    const stop = new AbortController();
    void count(who.user, stop.signal);
    return () => stop.abort();
  });
}

async function count(self: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if (document.visibilityState === "visible") {
      const path = `/v1/approvals?status=pending&scope=tenant&limit=${MOST}`;
      const page = await call<ListOf<ApprovalView>>(path, { signal: stop });
      if (stop.aborted) return;
      if (page.ok)
        countedOthers.value = { count: countWaiting(page.value.data, self).others, more: page.value.has_more };
    }
    await waitUntilAwake(EVERY_MS, stop);
  }
}

/** @param counts whether it shows the numbers of waiting calls. */
export function ScopeSwitch({ counts }: { readonly counts?: boolean }) {
  if (!me.value?.sees_tenant) return null;
  const words = texts.scope;
  const others = othersWaiting.value;
  const { mine } = waitingCounts.value;
  const numbers = {
    own: String(mine),
    all: others && `${mine + others.count}${others.more ? "+" : ""}`,
  };
  return (
    <fieldset class="switch">
      <legend class="visually-hidden">{words.label}</legend>
      {(["own", "all"] as const).map((scope) => (
        <label key={scope}>
          <input
            type="radio"
            name="scope"
            checked={wholeTenant.value === (scope === "all")}
            onChange={() => showWholeTenant(scope === "all")}
          />
          <span>{words[scope]}</span>
          {counts && numbers[scope] !== undefined && <span class="number">{numbers[scope]}</span>}
        </label>
      ))}
    </fieldset>
  );
}
