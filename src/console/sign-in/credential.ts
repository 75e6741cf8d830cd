/** The key or token that the user signed in with, kept for this tab, or for this device if the user chooses so. */
import { signal } from "@preact/signals";
import { inTab, onDevice } from "../shell/browser-storage.ts";

export interface Credential {
  readonly token: string;
  /** On this device, until signed out. */
  readonly persistent: boolean;
}

/** Why the user was signed out, for the sign-in page. */
type SignOutReason = "left" | "refused";

const NAME = "toolgate.key";

export const credential = signal<Credential | undefined>(storedCredential());
export const signOutReason = signal<SignOutReason | undefined>(undefined);

export function signIn(token: string, kept: boolean): void {
  removeStored();
  (kept ? onDevice : inTab).setItem(NAME, token);
  signOutReason.value = undefined;
  credential.value = { token, persistent: kept };
}

export function signOut(why: SignOutReason): void {
  removeStored();
  signOutReason.value = why;
  credential.value = undefined;
}

/** A sign-out in one tab signs out all tabs of the device. @param name the storage key that another tab changed; null: all. */
export function signedOutElsewhere(name: string | null): void {
  if ((name === NAME || name === null) && credential.peek()?.persistent && onDevice.getItem(NAME) === null)
    signOut("left");
}

function storedCredential(): Credential | undefined {
  const [brief, kept] = [inTab.getItem(NAME), onDevice.getItem(NAME)];
  if (brief !== null) return { token: brief, persistent: false };
  return kept === null ? undefined : { token: kept, persistent: true };
}

function removeStored(): void {
  inTab.removeItem(NAME);
  onDevice.removeItem(NAME);
}
