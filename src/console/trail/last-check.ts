/** Stores on this device when all chains were last verified, and the result. */
import { signal } from "@preact/signals";
import { isObject } from "../../lib/json/json-value.ts";
import { onDevice } from "../shell/browser-storage.ts";
import { me } from "../sign-in/me.ts";

export interface LastCheck {
  readonly at: string;
  readonly users: number;
  readonly broken: number;
}

const keyOf = () => `toolgate.verified.${me.peek()?.tenant ?? ""}`;
const round = signal(0);

export function lastCheck(): LastCheck | undefined {
  round.value;
  try {
    const kept: unknown = JSON.parse(onDevice.getItem(keyOf()) ?? "null");
    if (!isObject(kept)) return undefined;
    const { at, users, broken } = kept;
    return typeof at === "string" && typeof users === "number" && typeof broken === "number"
      ? { at, users, broken }
      : undefined;
  } catch {
    return undefined;
  }
}

export function keepCheck(check: LastCheck): void {
  onDevice.setItem(keyOf(), JSON.stringify(check));
  round.value++;
}
