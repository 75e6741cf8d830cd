/** A form for the arguments of a call: a list of its fields, and a question for each that is to be changed. */
import { confirm, isCancel, multiline, note, select, text } from "@clack/prompts";
import { type Changes, changesOf, type Draft, type Drafts, draftsOf } from "../../console/form/draft.ts";
import { type Field, fieldsOf } from "../../console/form/field.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import { untilLeft } from "./hold-keys.ts";

/** Characters of a value in the list. */
const SHORT = 40;

/** Undefined if nothing is changed, or the person gives up. */
export async function editForm(
  schema: unknown,
  values: Readonly<Record<string, unknown>>,
): Promise<Changes | undefined> {
  const fields = fieldsOf(schema, values).map(asText);
  let drafts = draftsOf(fields, values);
  for (;;) {
    const chosen = await untilLeft((signal) =>
      select({
        signal,
        message: "Change which argument?",
        options: [
          ...fields.map((field, index) => ({
            value: index,
            label: `${field.label}: ${draftText(field, drafts[field.name])}`,
          })),
          { value: SEND, label: "Send the call with these arguments" },
          { value: BACK, label: "Back to the question" },
        ],
      }),
    );
    if (isCancel(chosen) || chosen === BACK) return undefined;
    if (chosen === SEND) {
      const changes = changesOf(fields, drafts, values);
      if (changes.ok) return changes.value;
      note(changes.error.map(({ path, fault }) => `${path}: ${faults[fault]}`).join("\n"), "This cannot be sent yet");
      continue;
    }
    const field = fields[chosen];
    const draft = field && (await askField(field, drafts[field.name]));
    if (field && draft) drafts = { ...drafts, [field.name]: draft } satisfies Drafts;
  }
}

const [SEND, BACK] = [-1, -2];

const faults = {
  number: "must be a number",
  whole: "must be a whole number",
  digits: "has more digits than a number keeps",
  json: "must be JSON",
  missing: "is required",
} as const;

/** Lists and groups have no form here: they are edited as JSON. */
const asText = (field: Field): Field =>
  field.input.kind === "list" || field.input.kind === "group" ? { ...field, input: { kind: "json" } } : field;

function draftText({ input }: Field, draft: Draft | undefined): string {
  if (draft?.state !== "given") return draft?.state ?? "absent";
  return plainLine(input.kind === "choice" ? String(input.options[Number(draft.text)]) : draft.text, SHORT);
}

/** Undefined: it stays as it is. */
async function askField(field: Field, draft: Draft | undefined): Promise<Draft | undefined> {
  const { input, label, description } = field;
  const message = description === undefined ? label : `${label}: ${plainLine(description, 200)}`;
  const initialValue = draft?.state === "given" ? draft.text : "";
  const given = await askInput(input, message, initialValue);
  if (given === undefined) return undefined;
  // An optional argument is left out if its line is emptied, unless an empty text is a valid value.
  const state = given === "" && !field.required && input.kind !== "text" ? "absent" : "given";
  return { state, text: given, items: [], members: {} };
}

async function askInput(input: Field["input"], message: string, initialValue: string): Promise<string | undefined> {
  switch (input.kind) {
    case "truth": {
      const value = await untilLeft((signal) => confirm({ message, signal, initialValue: initialValue === "true" }));
      return isCancel(value) ? undefined : String(value);
    }
    case "choice": {
      const options = input.options.map((option, index) => ({ value: String(index), label: String(option) }));
      const value = await untilLeft((signal) => select({ message, signal, options, initialValue }));
      return isCancel(value) ? undefined : value;
    }
    default: {
      const long = input.kind === "json" || (input.kind === "text" && input.long);
      const value = await untilLeft((signal) =>
        long
          ? multiline({ message: `${message} (Tab, then Enter ends)`, signal, initialValue, showSubmit: true })
          : text({ message, signal, initialValue }),
      );
      return isCancel(value) ? undefined : (value ?? "");
    }
  }
}
