/** Announcements: a screen reader speaks them, and others see them for a moment. */
import { signal } from "@preact/signals";

const SHOWN_MS = 4000;

const announcement = signal("");
const visible = signal(true);
let timer: ReturnType<typeof setTimeout> | undefined;

/** @param shown false for what the page itself shows at the same time. */
export function announce(text: string, shown = true): void {
  clearTimeout(timer);
  visible.value = shown;
  // The same words twice are read once unless they go in between.
  announcement.value = "";
  queueMicrotask(() => {
    announcement.value = text;
  });
  timer = setTimeout(() => {
    announcement.value = "";
  }, SHOWN_MS);
}

export function Announcer() {
  return (
    <div class="announcer" role="status" aria-live="polite">
      {announcement.value !== "" && <p class={visible.value ? undefined : "visually-hidden"}>{announcement.value}</p>}
    </div>
  );
}
