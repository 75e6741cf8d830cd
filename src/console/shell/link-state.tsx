/** Whether what is shown is what is. */
import { link } from "../inbox/link.ts";
import { texts } from "../texts/texts.ts";

export function LinkState() {
  return (
    <p class={`link-state ${link.value}`} role="status">
      <span class="dot" aria-hidden="true" />
      {texts.link[link.value]}
    </p>
  );
}

export function OfflineNote() {
  if (link.value !== "offline") return null;
  return (
    <p class="note warn offline" role="alert">
      {texts.link.offlineNote}
    </p>
  );
}
