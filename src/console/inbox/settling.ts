/**
 * Whether the list has just moved. A call that comes in pushes others away, perhaps from under a finger that is on its
 * way down: for a moment no answer is taken.
 */
import { effect, signal } from "@preact/signals";
import { listed } from "./expired.ts";

const REST_MS = 400;

export const settling = signal(false);

export function watchMoves(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    if (listed.value.length === 0) return;
    settling.value = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      settling.value = false;
    }, REST_MS);
  });
}
