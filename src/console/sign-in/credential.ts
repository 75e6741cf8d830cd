/** The key or token that the person signed in with: kept for this tab, or for this device where they wish. */
import { signal } from "@preact/signals";

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
  (kept ? localStorage : sessionStorage).setItem(NAME, token);
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
  if ((name === NAME || name === null) && credential.peek()?.kept && localStorage.getItem(NAME) === null)
    signOut("left");
}

function stored(): Credential | undefined {
  const [brief, kept] = [sessionStorage.getItem(NAME), localStorage.getItem(NAME)];
  if (brief !== null) return { token: brief, kept: false };
  return kept === null ? undefined : { token: kept, kept: true };
}

function forget(): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
}
