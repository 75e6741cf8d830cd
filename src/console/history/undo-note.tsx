/**
 * How a call that ran is undone. The page runs no tools, and to undo a call is to run another: the chat that made the call
 * is where it is asked for. Nothing is shown where the gateway keeps no such calls.
 */
import { useSignal } from "@preact/signals";
import type { CallView } from "../api/approval.ts";
import { call } from "../api/call.ts";
import { texts } from "../texts/texts.ts";

export function UndoNote({ id }: { readonly id: string }) {
  const told = useSignal<string | undefined>(undefined);
  const words = texts.history;
  async function look(): Promise<void> {
    if (told.value !== undefined) return;
    const found = await call<CallView>(`/v1/calls/${encodeURIComponent(id)}`);
    told.value = found.ok ? undoText(found.value) : words.cannotUndo;
  }
  return (
    <details class="undo" onToggle={() => void look()}>
      <summary>{words.undo}</summary>
      <p role="status">{told.value ?? texts.opening}</p>
    </details>
  );
}

function undoText({ undo }: CallView): string {
  const words = texts.history;
  if (undo === null) return words.cannotUndo;
  if (undo.undone_by !== null) return words.undone;
  return undo.available ? words.undoInChat(undo.tool) : (undo.why_not ?? words.cannotUndo);
}
