/** The key or token that the person signed in with: kept for this tab, or for this device where they wish. */
import { signal } from "@preact/signals";
import { inTab, onDevice } from "../shell/browser-storage.ts";

export interface Credential {
  readonly token: string;
  /** On this device, until signed out. */
  readonly kept: boolean;
}

/** Why nobody is signed in any more, for the page that asks again. */
export type Ended = "left" | "refused";

const NAME = "toolgate.key";

export const credential = signal<Credential | undefined>(stored());
export const ended = signal<Ended | undefined>(undefined);

export function signIn(token: string, kept: boolean): void {
  forget();
  (kept ? onDevice : inTab).set(NAME, token);
  ended.value = undefined;
  credential.value = { token, kept };
}

export function signOut(why: Ended): void {
  forget();
  ended.value = why;
  credential.value = undefined;
}

/** Who signs out of a device signs out in every tab of it. @param name of what another tab has changed; null: all. */
export function signedOutElsewhere(name: string | null): void {
  if ((name === NAME || name === null) && credential.peek()?.kept && onDevice.get(NAME) === null) signOut("left");
}

function stored(): Credential | undefined {
  const [brief, kept] = [inTab.get(NAME), onDevice.get(NAME)];
  if (brief !== null) return { token: brief, kept: false };
  return kept === null ? undefined : { token: kept, kept: true };
}

function forget(): void {
  inTab.remove(NAME);
  onDevice.remove(NAME);
}
