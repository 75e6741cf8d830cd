/** Who is signed in, as the gateway says. */
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

/** Asked again where the first answer did not come. */
export async function loadMe(): Promise<void> {
  const sent = credential.peek();
  meFailed.value = undefined;
  const found = await call<Principal>("/v1/me");
  if (credential.peek() !== sent) return;
  if (found.ok) me.value = found.value;
  else meFailed.value = found.error;
}
