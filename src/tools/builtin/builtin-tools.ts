/** Toolgate's own tools, by name. */
import type { BuiltinDefinition, BuiltinName, BuiltinPort } from "../builtin-port.ts";
import { notStarted } from "../execution-result.ts";
import type { BibliographyPort } from "./bibliography-port.ts";
import { noStore, type ToolOn } from "./builtin-tool.ts";
import { createNote } from "./create-note.ts";
import { deleteNote, restoreNote } from "./delete-note.ts";
import { editNote } from "./edit-note.ts";
import { type AnnotateParts, gnormDefinition, runGnorm } from "./gnorm-annotate.ts";
import type { NotesPort } from "./notes-port.ts";
import { searchBibliography } from "./search-bibliography.ts";
import { searchNotes } from "./search-notes.ts";

export interface BuiltinParts {
  /** Undefined where the deployment has no database for them: such calls do not start. */
  readonly notes: NotesPort | undefined;
  readonly bibliography: BibliographyPort | undefined;
  readonly annotate: AnnotateParts;
}

interface Builtin extends BuiltinDefinition {
  readonly run: BuiltinPort["run"];
}

export function builtinTools({ notes, bibliography, annotate }: BuiltinParts): BuiltinPort {
  const tools: Readonly<Record<BuiltinName, Builtin>> = {
    search_bibliography: on(bibliography, searchBibliography),
    search_notes: ofPerson(on(notes, searchNotes)),
    create_note: ofPerson(on(notes, createNote)),
    edit_note: ofPerson(on(notes, editNote)),
    delete_note: ofPerson(on(notes, deleteNote)),
    restore_note: ofPerson(on(notes, restoreNote)),
    gnorm_annotate: { ...gnormDefinition, run: (call, _, settings) => runGnorm(annotate, call, settings) },
  };
  return {
    definition: (name) => tools[name],
    run: (call, name, settings) => tools[name].run(call, name, settings),
  };
}

const on = <Store>(store: Store | undefined, tool: ToolOn<Store>): Builtin => ({
  description: tool.description,
  parameters: tool.parameters,
  run: async (call) => (store === undefined ? noStore() : tool.run(call, store)),
});

/** Whoever stands for nobody in particular is many, and each would read the others' notes. */
const ofPerson = (tool: Builtin): Builtin => ({
  ...tool,
  run: async (call, name, settings) =>
    call.principal.authenticated
      ? tool.run(call, name, settings)
      : notStarted("unavailable", "notes are kept for people who have signed in"),
});
