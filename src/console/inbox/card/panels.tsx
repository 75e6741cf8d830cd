/** The end of a panel: back, or send what it holds. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { isObject } from "../../../lib/json/json-value.ts";
import type { Failure } from "../../api/call.ts";
import { changesOf, draftsOf } from "../../form/draft.ts";
import { fieldsOf } from "../../form/field.ts";
import { SchemaForm } from "../../form/schema-form.tsx";
import { FailureNote } from "../../shell/page-parts.tsx";
import { texts } from "../../texts/texts.ts";
import type { PanelProps } from "./answer-area.tsx";

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

export interface SendingLabelProps {
  readonly sending: boolean;
  readonly children: ComponentChildren;
}

export function SendingLabel({ sending, children }: SendingLabelProps) {
  if (!sending) return <>{children}</>;
  return (
    <>
      <span class="spinner" aria-hidden="true" />
      {texts.answer.sending}
    </>
  );
}

const MAX_REASON = 1000;

export function DenyPanel({ approval, busy, sending, failure, onAnswer, onCancel }: PanelProps) {
  const reason = useSignal("");
  const words = texts.answer;
  const id = `${approval.id}-reason`;
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        const said = reason.value.trim();
        onAnswer({ action: "deny", ...(said === "" ? {} : { reason: said }) });
      }}
    >
      <label class="label" for={id}>
        {words.reason}
      </label>
      <input
        id={id}
        class="input"
        type="text"
        maxLength={MAX_REASON}
        autocomplete="off"
        value={reason.value}
        onInput={(event) => {
          reason.value = event.currentTarget.value;
        }}
        aria-describedby={`${id}-hint`}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.reasonHint}
      </p>
      {failure && <FailureNote failure={failure} />}
      <PanelButtons submit={words.denyNow} kind="grave" busy={busy} sending={sending} onCancel={onCancel} />
    </form>
  );
}

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

/** Paths are JSON pointers into the arguments, some with the body's own member before them. */
export function fieldErrors(failure: Failure | undefined): readonly (readonly [string, string])[] {
  if (failure?.kind !== "refused") return [];
  return failure.errors
    .map(({ path, message }) => [path.replace(/^\/?arguments(?=\/|$)/, ""), message] as const)
    .filter(([path]) => path.startsWith("/"));
}
