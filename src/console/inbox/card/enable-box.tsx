/** At a first use: whether the answer enables the tool beyond this call. */
import type { Signal } from "@preact/signals";
import type { ApprovalView } from "../../api/approval.ts";
import { texts } from "../../texts/texts.ts";

export interface EnableBoxProps {
  readonly approval: ApprovalView;
  readonly enable: Signal<boolean>;
  readonly disabled: boolean;
}

export function EnableBox({ approval: { tool, first_use }, enable, disabled }: EnableBoxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={enable.value}
        disabled={disabled}
        onChange={(event) => {
          enable.value = event.currentTarget.checked;
        }}
      />
      <span>{texts.answer.enable[first_use?.enables ?? "session"](tool)}</span>
    </label>
  );
}
