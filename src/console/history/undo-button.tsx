/** Undoes what ran, where the gateway can. */
import { useSignal } from "@preact/signals";
import type { ApprovalView } from "../api/approval.ts";
import { call } from "../api/call.ts";
import type { Failure } from "../api/failure.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { texts } from "../texts/texts.ts";

export function UndoButton({ approval }: { readonly approval: ApprovalView }) {
  const state = useSignal<"offered" | "busy" | "undone">("offered");
  const failure = useSignal<Failure | undefined>(undefined);
  async function undo(): Promise<void> {
    if (state.value !== "offered") return;
    state.value = "busy";
    const path = `/v1/calls/${encodeURIComponent(approval.settled_by ?? "")}/undo`;
    const undone = await call(path, { method: "POST", body: {} });
    failure.value = undone.ok ? undefined : undone.error;
    state.value = undone.ok ? "undone" : "offered";
    if (undone.ok) announce(texts.answered.undone);
  }
  if (state.value === "undone") return <p class="hint">{texts.answered.undone}</p>;
  return (
    <>
      <button type="button" class="quiet small" aria-disabled={state.value === "busy"} onClick={() => void undo()}>
        {texts.answered.undo}
        <span class="visually-hidden"> {approval.tool}</span>
      </button>
      {failure.value && <FailureNote failure={failure.value} />}
    </>
  );
}
