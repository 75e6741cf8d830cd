/** A change of a note that others may be changing too. */
import type { ExecutionResult } from "../execution-result.ts";
import { failed } from "./builtin-tool.ts";
import type { Note, NoteOwner } from "./note.ts";
import type { MadeChange, NextNote, NotesPort } from "./notes-port.ts";

export interface NoteChange {
  readonly owner: NoteOwner;
  readonly id: string;
  /** The decision. */
  readonly by: string;
  /** What it becomes, given what it is now; an outcome where it cannot. */
  readonly next: (note: Note) => NextNote | ExecutionResult | Promise<NextNote | ExecutionResult>;
  readonly tell: (change: MadeChange) => ExecutionResult;
}

/** Calls of one step run beside each other, and several may concern one note: each begins from what the other made. */
const MAX_ATTEMPTS = 12;

/** Made once for one decision: a second time it is told what the first did. Rejects where the store fails. */
export async function changeNote(
  notes: NotesPort,
  { owner, id, by, next, tell }: NoteChange,
): Promise<ExecutionResult> {
  const made = await notes.madeBy(owner, id, by);
  if (made) return tell(made);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const note = await notes.read(owner, id);
    if (!note) return failed("there is no such note", `there is no note \`${id}\``);
    const wanted = await next(note);
    if ("status" in wanted) return wanted;
    const after = await notes.change(owner, note, wanted, by);
    if (after) return tell({ before: note, after });
  }
  return failed("the note is being changed by others; try again");
}

export const isDeleted = (note: Note): ExecutionResult =>
  failed("the note was deleted", `the note \`${note.id}\` was deleted; \`restore_note\` brings it back`);
