/**
 * The address of the open call: `#appr_…`. On a phone, where the call covers the list, it is a history entry of its own, so that *Back*
 * leads to the list. If both are side by side, the address is only replaced, and *Back* leaves the page.
 */
import { effect } from "@preact/signals";
import { loaded } from "../approvals.ts";
import { listed } from "../listed.ts";
import { backToList, opened, show, shown, splits } from "./selection.ts";

/** The same as in `inbox.css`. */
const COVERS = "(max-width: 59.99rem)";
/** Key in the state of a history entry that has the list before it. */
const FROM_LIST = "fromList";

const idIn = (hash: string): string | undefined => /^#(appr_\w+)$/.exec(hash)?.[1];

export function watchAddress(): () => void {
  /** The id from the address, until the list is loaded. */
  let wanted = idIn(location.hash);
  opened.value = false;
  const follow = () => {
    const id = idIn(location.hash);
    if (id !== undefined && listed.peek().includes(id)) show(id);
    else if (opened.peek() && location.hash === "") backToList();
  };
  window.addEventListener("popstate", follow);
  const stop = effect(() => {
    if (!loaded.value) return;
    if (wanted !== undefined && listed.value.includes(wanted)) show(wanted);
    wanted = undefined;
    const hash = opened.value && splits.value && shown.value !== undefined ? `#${shown.value}` : "";
    if (hash === location.hash || (hash === "" && idIn(location.hash) === undefined)) return;
    const address = location.pathname + location.search + hash;
    if (location.hash === "" && window.matchMedia(COVERS).matches) history.pushState(FROM_LIST, "", address);
    else history.replaceState(hash === "" ? null : history.state, "", address);
  });
  return () => {
    window.removeEventListener("popstate", follow);
    stop();
  };
}

/** For the page's own button: the browser's *Back* must not lead to the call again afterwards. */
export function leaveCall(): void {
  if (history.state === FROM_LIST) history.back();
  else backToList();
}
