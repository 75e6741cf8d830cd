/** Changing the arguments before the call runs. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { isObject } from "../../../lib/json/json-value.ts";
import { changesOf } from "../../form/changes.ts";
import { draftsOf } from "../../form/draft.ts";
import { fieldsOf } from "../../form/fields-of.ts";
import { SchemaForm } from "../../form/schema-form.tsx";
import { FailureNote } from "../../shell/failure-note.tsx";
import { texts } from "../../texts/texts.ts";
import type { PanelProps } from "./answer-area.tsx";
import { fieldErrors } from "./field-errors.ts";
import { PanelButtons } from "./panel-buttons.tsx";

export function EditPanel({ approval, busy, sending, failure, onAnswer, onCancel }: PanelProps) {
  const original = isObject(approval.arguments) ? approval.arguments : {};
  const fields = useMemo(() => fieldsOf(approval.schema, original), [approval]);
  const drafts = useSignal(draftsOf(fields, original));
  const tried = useSignal(false);
  const changes = changesOf(fields, drafts.value, original);
  const words = texts.answer;
  const own = changes.ok ? [] : changes.error.map(({ path, fault }) => [path, texts.form.faults[fault]] as const);
  const problems = new Map([...fieldErrors(failure), ...(tried.value ? own : [])]);
  const unplaced = failure && (failure.kind === "unreachable" || problems.size === 0);

  function submit(event: Event): void {
    event.preventDefault();
    tried.value = true;
    if (!changes.ok || changes.value === undefined) return;
    const { arguments: set, unset } = changes.value;
    onAnswer({
      action: "edit",
      ...(Object.keys(set).length > 0 ? { arguments: set } : {}),
      ...(unset.length > 0 ? { unset } : {}),
    });
  }

  return (
    <form class="panel" onSubmit={submit} noValidate aria-label={words.editTitle}>
      <h3>{words.editTitle}</h3>
      <SchemaForm
        fields={fields}
        drafts={drafts.value}
        path=""
        context={{ id: `${approval.id}-edit`, problems }}
        onChange={(next) => {
          drafts.value = next;
        }}
      />
      {unplaced && failure && <FailureNote failure={failure} />}
      {tried.value && changes.ok && changes.value === undefined && (
        <p class="note" role="status">
          {words.unchanged}
        </p>
      )}
      <PanelButtons submit={words.editNow} kind="strong" busy={busy} sending={sending} onCancel={onCancel} />
    </form>
  );
}
