/**
 * The browser's notifications about waiting calls. They name the tool, and none of the call's values.
 *
 * While the page is open in the background it shows them itself. If the gateway has VAPID keys and the browser has push, Web Push also
 * shows them while no page is open.
 */
import { effect, signal } from "@preact/signals";
import type { ApprovalView } from "../../api-views/approval-views.ts";
import { call } from "../api/call.ts";
import { onDevice } from "../shell/browser-storage.ts";
import { credential } from "../sign-in/credential.ts";
import { me } from "../sign-in/me.ts";
import { texts } from "../texts/texts.ts";

const NAME = "toolgate.notify";

export const notifies = signal(onDevice.getItem(NAME) === "1");

/** Subscribes from sign-in to sign-out: a device must not notify after its user has signed out. */
export function followPush(): void {
  let before: string | undefined;
  effect(() => {
    const token = credential.value?.token;
    if (token === undefined && before !== undefined) void unsubscribePush(before);
    if (token !== undefined && me.value && notifies.peek()) void subscribePush();
    before = token;
  });
}

/** @returns false if the browser does not allow it. */
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
    // Phones allow notifications only from service workers.
  }
}

/** Address of the service worker, whose scope is the whole console. The build writes it into the page. */
const workerAddress = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="push-worker"]')?.content || undefined;

interface Config {
  readonly push: { readonly key: string } | null;
}

/** Undefined if the gateway or the browser has no push. */
async function pushKey(): Promise<string | undefined> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return undefined;
  const config = await call<Config>("/console/config.json");
  return config.ok ? config.value.push?.key : undefined;
}

/** @returns whether the browser is subscribed. Never rejects. */
async function subscribePush(): Promise<boolean> {
  try {
    const address = workerAddress();
    const key = address === undefined ? undefined : await pushKey();
    if (address === undefined || key === undefined) return false;
    const registration = await navigator.serviceWorker.register(trustedAddress(address), { scope: "/console/" });
    await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const subscription = await registration.pushManager.subscribe(options);
    const stored = await call<object>("/v1/push", { method: "PUT", body: subscription.toJSON() });
    if (!stored.ok) await subscription.unsubscribe();
    return stored.ok;
  } catch {
    // The browser refused, or the push service is not reachable: the page's own notifications remain.
    return false;
  }
}

/** Ends notifications on this device. @param token of the user who signs out: the page may have deleted it already. */
async function unsubscribePush(token?: string): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration("/console/");
    const subscription = await registration?.pushManager.getSubscription();
    if (!subscription) return;
    await subscription.unsubscribe();
    await call<object>("/v1/push", { method: "DELETE", body: { endpoint: subscription.endpoint }, token });
  } catch {
    // The push service then reports the subscription as gone, and the gateway deletes it.
  }
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The page's security policy accepts script addresses only from a named Trusted Types policy; only the address that the gateway served passes. */
function trustedAddress(address: string): string {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  const isOwn = /^\/console\/files\/push-worker-[A-Z0-9]{8}\.js$/.test(address);
  if (!isOwn) throw new Error("no service worker of ours");
  return (
    trustedTypes?.createPolicy("push-worker", { createScriptURL: (url) => url }).createScriptURL(address) ?? address
  );
}
