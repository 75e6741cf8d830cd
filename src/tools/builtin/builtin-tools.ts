/** Toolgate's own tools, by name. */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { notStarted } from "../run.ts";
import type { BuiltinDefinition, BuiltinName, BuiltinPort } from "../tool-runner.ts";
import { type BibliographyPort, citation } from "./bibliography.ts";
import {
  type BuiltinTool,
  defineTool,
  done,
  limitOf,
  limitSchema,
  noStore,
  objectSchema,
  reading,
} from "./builtin-tool.ts";
import { editNote } from "./edit-note.ts";
import { type AnnotateParts, gnormDefinition, runGnorm } from "./gnorm-annotate.ts";
import { createNote, deleteNote, restoreNote, searchNotes } from "./note-tools.ts";
import type { NotesPort } from "./notes-port.ts";

interface BuiltinParts {
  /** Undefined if the deployment has no database for them: such calls do not start. */
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

const on = <Store>(store: Store | undefined, tool: BuiltinTool<Store>): Builtin => ({
  description: tool.description,
  parameters: tool.parameters,
  run: async (call) => (store === undefined ? noStore() : tool.run(call, store)),
});

/** An anonymous user is many people, and each would read the notes of all. */
const ofPerson = (tool: Builtin): Builtin => ({
  ...tool,
  run: async (call, name, settings) =>
    call.principal.authenticated
      ? tool.run(call, name, settings)
      : notStarted("unavailable", "notes are kept for people who have signed in"),
});

export const searchBibliography = defineTool({
  description: "Search the research bibliography for sources",
  parameters: objectSchema({ query: { type: "string", maxLength: 1_000 }, limit: limitSchema }, "query"),
  schema: once(() => z.object({ query: z.string({ error: "`query` must be text" }), limit: limitOf() })),
  run: ({ query, limit }, bibliography: BibliographyPort, { principal }) =>
    reading(async () => {
      const { sources, more, matched } = await bibliography.search(principal, query, limit);
      return done({
        sources: sources.map(({ csl, snippet, scope }) => ({ ...citation(csl, snippet), scope })),
        count: sources.length,
        more: more || undefined,
        matched: matched === "some" ? "some of the words; no source has all" : undefined,
      });
    }),
});
