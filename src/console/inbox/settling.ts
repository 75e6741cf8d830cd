/**
 * Whether the list has just moved. A call that comes in pushes others away, perhaps from under a finger that is on its
 * way down: for a moment no answer is taken.
 */
import { effect, signal } from "@preact/signals";
import { listed } from "./card/expired.ts";

const REST_MS = 400;

export const settling = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Also where a button becomes another: the second press of two is not meant for that. */
export function rest(): void {
  settling.value = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    settling.value = false;
  }, REST_MS);
}

export function watchMoves(): void {
  effect(() => {
    if (listed.value.length > 0) rest();
  });
}
