/** The arguments of a call, each in a field: a text as it is, anything else as JSON. */
import { type FormEvent, useState } from "react";
import type { ApprovalAnswer, ApprovalArgument, ApprovalRequest } from "./approval-request.ts";
import type { ToolApprovalLabels } from "./labels.ts";

interface EditFormProps {
  readonly request: ApprovalRequest;
  readonly labels: ToolApprovalLabels;
  readonly sending: boolean;
  readonly onBack: () => void;
  readonly onAnswer: (answer: ApprovalAnswer) => Promise<void>;
}

export function EditForm({ request, labels, sending, onBack, onAnswer }: EditFormProps) {
  // A hidden value stays as it is: a person cannot edit what is not shown.
  const fields = request.arguments.filter(({ isHidden }) => !isHidden);
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(
    new Map(fields.map((field) => [field.name, fieldText(field)])),
  );
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readChanges(fields, texts);
    setWrong(new Set(read.wrong));
    if (read.wrong.length > 0) return;
    const isChanged = Object.keys(read.changes).length > 0;
    void onAnswer(isChanged ? { action: "edit", arguments: read.changes } : { action: "approve" });
  };
  return (
    <form className="toolgate-form" onSubmit={submit}>
      {fields.map(({ name }) => (
        <label key={name}>
          {name}
          <textarea
            value={texts.get(name)}
            rows={Math.min(12, (texts.get(name) ?? "").split("\n").length)}
            aria-invalid={wrong.has(name)}
            onChange={(event) => setTexts(new Map(texts).set(name, event.target.value))}
          />
          {wrong.has(name) && <span role="alert">{labels.notJson}</span>}
        </label>
      ))}
      <div className="toolgate-buttons">
        <button type="button" disabled={sending} onClick={onBack}>
          {labels.back}
        </button>
        <button type="submit" className="toolgate-approve" disabled={sending}>
          {labels.approveEdited}
        </button>
      </div>
    </form>
  );
}

const fieldText = ({ value }: ApprovalArgument): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, 2);

interface ReadChanges {
  readonly changes: Readonly<Record<string, unknown>>;
  /** Names of fields that hold no JSON. */
  readonly wrong: readonly string[];
}

function readChanges(fields: readonly ApprovalArgument[], texts: ReadonlyMap<string, string>): ReadChanges {
  const changes: [string, unknown][] = [];
  const wrong: string[] = [];
  for (const field of fields) {
    const text = texts.get(field.name) ?? "";
    if (text === fieldText(field)) continue;
    try {
      changes.push([field.name, typeof field.value === "string" ? text : JSON.parse(text)]);
    } catch {
      wrong.push(field.name);
    }
  }
  return { changes: Object.fromEntries(changes), wrong };
}
