/** What a screen reader is told as it happens, and others see for a moment. */
import { signal } from "@preact/signals";

const SHOWN_MS = 6000;

const said = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  clearTimeout(timer);
  // The same words twice are read once unless they go in between.
  said.value = "";
  queueMicrotask(() => {
    said.value = text;
  });
  timer = setTimeout(() => {
    said.value = "";
  }, SHOWN_MS);
}

export function Announcer() {
  return (
    <div class="announcer" role="status" aria-live="polite">
      {said.value !== "" && <p>{said.value}</p>}
    </div>
  );
}
