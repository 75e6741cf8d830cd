/**
 * The browser's own notifications: while the page is open behind others, and by Web Push where there is that. Nothing of the call's values
 * is in them.
 */
import { effect, signal } from "@preact/signals";
import type { ApprovalView } from "../../api-views/approval-views.ts";
import { onDevice } from "../shell/browser-storage.ts";
import { credential } from "../sign-in/credential.ts";
import { me } from "../sign-in/me.ts";
import { texts } from "../texts/texts.ts";
import { subscribePush, unsubscribePush } from "./push.ts";

const NAME = "toolgate.notify";

export const notifies = signal(onDevice.getItem(NAME) === "1");

/** From sign-in to sign-out: nobody is notified on a device that somebody has left. */
export function followPush(): void {
  let before: string | undefined;
  effect(() => {
    const token = credential.value?.token;
    if (token === undefined && before !== undefined) void unsubscribePush(before);
    if (token !== undefined && me.value && notifies.peek()) void subscribePush();
    before = token;
  });
}

/** @returns false where the browser does not allow it. */
export async function setNotifies(wanted: boolean): Promise<boolean> {
  const allowed = wanted && "Notification" in window && (await Notification.requestPermission()) === "granted";
  notifies.value = allowed;
  void (allowed ? subscribePush() : unsubscribePush());
  if (allowed) onDevice.setItem(NAME, "1");
  else onDevice.removeItem(NAME);
  return allowed === wanted;
}

export function notifyInBackground({ id, tool }: ApprovalView): void {
  if (!notifies.peek() || document.visibilityState === "visible" || !("Notification" in window)) return;
  try {
    const shown = new Notification(texts.waiting.notification(tool), { tag: id });
    shown.onclick = () => window.focus();
  } catch {
    // Phones have them for service workers only.
  }
}
