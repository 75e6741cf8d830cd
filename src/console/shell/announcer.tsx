/** Announcements: spoken by a screen reader, and shown for a moment. */
import { signal } from "@preact/signals";

const SHOWN_MS = 4000;

const announcement = signal("");
const visible = signal(true);
let timer: ReturnType<typeof setTimeout> | undefined;

/** @param shown false if the page itself shows the same at this moment. */
export function announce(text: string, shown = true): void {
  clearTimeout(timer);
  visible.value = shown;
  // A screen reader reads the same text a second time only if it was removed in between.
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
