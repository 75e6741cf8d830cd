/** The signed-in user, as the gateway identifies them. */
import { effect, signal } from "@preact/signals";
import type { Principal } from "../../api-views/approval-views.ts";
import { call, type Failure } from "../api/call.ts";
import { credential, signedOutElsewhere } from "./credential.ts";

export const me = signal<Principal | undefined>(undefined);
export const meFailed = signal<Failure | undefined>(undefined);

export function loadMeOnSignIn(): void {
  window.addEventListener("storage", ({ key }) => signedOutElsewhere(key));
  effect(() => {
    me.value = undefined;
    if (credential.value) void loadMe();
  });
}

/** Also called again by the page if the first request failed. */
export async function loadMe(): Promise<void> {
  const sent = credential.peek();
  meFailed.value = undefined;
  const found = await call<Principal>("/v1/me");
  if (credential.peek() !== sent) return;
  if (found.ok) me.value = found.value;
  else meFailed.value = found.error;
}
