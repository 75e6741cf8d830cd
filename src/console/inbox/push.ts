/**
 * Web Push: the browser is notified of what waits while no page is open. Only where the gateway has VAPID keys and the browser has push; what
 * arrives is which tool waits, and nothing of the call's values.
 */
import { call } from "../api/call.ts";

/** As the gateway serves it, with the whole console in its scope. The build writes its name into the page. */
const workerAddress = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="push-worker"]')?.content || undefined;

interface Config {
  readonly push: { readonly key: string } | null;
}

/** Undefined where the gateway or the browser has no push. */
async function pushKey(): Promise<string | undefined> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return undefined;
  const config = await call<Config>("/console/config.json");
  return config.ok ? config.value.push?.key : undefined;
}

/** @returns whether the browser is subscribed. Never rejects. */
export async function subscribePush(): Promise<boolean> {
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
    // Refused by the browser, or no push service is reached: the page's own notifications remain.
    return false;
  }
}

/** On this device nobody is notified any more. @param token of who leaves: the page may have forgotten it already. */
export async function unsubscribePush(token?: string): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration("/console/");
    const subscription = await registration?.pushManager.getSubscription();
    if (!subscription) return;
    await subscription.unsubscribe();
    await call<object>("/v1/push", { method: "DELETE", body: { endpoint: subscription.endpoint }, token });
  } catch {
    // The push service then answers that it is gone, and the gateway forgets it.
  }
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The page's policy takes script addresses only by a name: ours comes from the page that the gateway served. */
function trustedAddress(address: string): string {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  const isOwn = /^\/console\/files\/push-worker-[A-Z0-9]{8}\.js$/.test(address);
  if (!isOwn) throw new Error("no service worker of ours");
  return (
    trustedTypes?.createPolicy("push-worker", { createScriptURL: (url) => url }).createScriptURL(address) ?? address
  );
}
