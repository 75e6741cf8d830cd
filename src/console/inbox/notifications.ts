/** The browser's own notifications, while the page is open behind others. Nothing of the call's values is in them. */
import { signal } from "@preact/signals";
import type { ApprovalView } from "../api/views.ts";
import { onDevice } from "../shell/browser-storage.ts";
import { texts } from "../texts/texts.ts";

const NAME = "toolgate.notify";

export const notifies = signal(onDevice.getItem(NAME) === "1");

/** @returns false where the browser does not allow it. */
export async function setNotifies(wanted: boolean): Promise<boolean> {
  const allowed = wanted && "Notification" in window && (await Notification.requestPermission()) === "granted";
  notifies.value = allowed;
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
