/** The end of a panel: back, or send what it holds. */
import { texts } from "../../texts/texts.ts";
import type { PanelProps } from "./answer-area.tsx";
import { SendingLabel } from "./sending-label.tsx";

export interface PanelButtonsProps extends Pick<PanelProps, "busy" | "sending" | "onCancel"> {
  readonly submit: string;
  readonly kind: "strong" | "grave";
}

export function PanelButtons({ submit, kind, busy, sending, onCancel }: PanelButtonsProps) {
  return (
    <div class="buttons">
      <button type="button" class="button" aria-disabled={sending} onClick={() => !sending && onCancel()}>
        {texts.answer.cancel}
      </button>
      <button type="submit" class={`button ${kind}`} aria-disabled={busy}>
        <SendingLabel sending={sending}>{submit}</SendingLabel>
      </button>
    </div>
  );
}
