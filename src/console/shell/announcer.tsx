/** What a screen reader is told as it happens, and others see for a moment. */
import { signal } from "@preact/signals";

const SHOWN_MS = 4000;

const said = signal("");
const seen = signal(true);
let timer: ReturnType<typeof setTimeout> | undefined;

/** @param shown false for what the page itself shows at the same time. */
export function announce(text: string, shown = true): void {
  clearTimeout(timer);
  seen.value = shown;
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
      {said.value !== "" && <p class={seen.value ? undefined : "visually-hidden"}>{said.value}</p>}
    </div>
  );
}
