/** The panels that open in place of the answer buttons: to deny with a reason, or to edit the arguments. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { AnswerBody, ApprovalView } from "../../../api-views/approval-views.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import type { Failure } from "../../api/call.ts";
import { changesOf, draftsOf } from "../../form/draft.ts";
import { fieldsOf } from "../../form/field.ts";
import { SchemaForm } from "../../form/schema-form.tsx";
import { FailureNote } from "../../shell/page-parts.tsx";
import { texts } from "../../texts/texts.ts";

export type Panel = "none" | "deny" | "edit" | "grant";

export interface PanelProps {
  readonly approval: ApprovalView;
  /** An answer would be ignored at this moment. */
  readonly busy: boolean;
  readonly sending: boolean;
  readonly failure: Failure | undefined;
  readonly onAnswer: (body: AnswerBody) => void;
  readonly onCancel: () => void;
}

interface PanelFormProps extends Omit<PanelProps, "approval" | "onAnswer"> {
  readonly title?: string;
  readonly submit: string;
  readonly kind: "strong" | "grave";
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

export function PanelForm(props: PanelFormProps) {
  const { title, submit, kind, busy, sending, failure, onSubmit, onCancel, children } = props;
  return (
    <form
      class="panel"
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {title !== undefined && <h3>{title}</h3>}
      {children}
      {failure && <FailureNote failure={failure} />}
      <div class="buttons">
        <button type="button" class="button" aria-disabled={sending} onClick={() => !sending && onCancel()}>
          {texts.answer.cancel}
        </button>
        <button type="submit" class={`button ${kind}`} aria-disabled={busy}>
          <SendingLabel sending={sending}>{submit}</SendingLabel>
        </button>
      </div>
    </form>
  );
}

/** The label of a button that sends an answer: its text, or that the answer is being sent. */
export function SendingLabel({
  sending,
  children,
}: {
  readonly sending: boolean;
  readonly children: ComponentChildren;
}) {
  if (!sending) return <>{children}</>;
  return (
    <>
      <span class="spinner" aria-hidden="true" />
      {texts.answer.sending}
    </>
  );
}

const MAX_REASON = 1000;

export function DenyPanel(props: PanelProps) {
  const reason = useSignal("");
  const words = texts.answer;
  const id = `${props.approval.id}-reason`;
  const submit = () => props.onAnswer({ action: "deny", reason: reason.value.trim() || undefined });
  return (
    <PanelForm {...props} submit={words.denyNow} kind="grave" onSubmit={submit}>
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
    </PanelForm>
  );
}

export function EditPanel(props: PanelProps) {
  const { approval, failure, onAnswer } = props;
  const original = isObject(approval.arguments) ? approval.arguments : {};
  const fields = useMemo(() => fieldsOf(approval.schema, original), [approval]);
  const drafts = useSignal(draftsOf(fields, original));
  const tried = useSignal(false);
  const changes = changesOf(fields, drafts.value, original);
  const words = texts.answer;
  const own = changes.ok ? [] : changes.error.map(({ path, fault }) => [path, texts.form.faults[fault]] as const);
  const problems = new Map([...fieldErrors(failure), ...(tried.value ? own : [])]);
  // Problems of a field are shown at the field.
  const otherFailure = failure?.kind === "unreachable" || problems.size === 0 ? failure : undefined;

  function submit(): void {
    tried.value = true;
    if (!changes.ok || changes.value === undefined) return;
    const { arguments: set, unset } = changes.value;
    onAnswer({
      action: "edit",
      arguments: Object.keys(set).length > 0 ? set : undefined,
      unset: unset.length > 0 ? unset : undefined,
    });
  }
  return (
    <PanelForm
      {...props}
      title={words.editTitle}
      submit={words.editNow}
      kind="strong"
      failure={otherFailure}
      onSubmit={submit}
    >
      <SchemaForm
        fields={fields}
        drafts={drafts.value}
        path=""
        context={{ id: `${approval.id}-edit`, problems }}
        onChange={(next) => {
          drafts.value = next;
        }}
      />
      {tried.value && changes.ok && changes.value === undefined && (
        <p class="note" role="status">
          {words.unchanged}
        </p>
      )}
    </PanelForm>
  );
}

/** The gateway's errors about edited arguments, by field. Their paths are JSON pointers, some with `/arguments` before them. */
export function fieldErrors(failure: Failure | undefined): readonly (readonly [string, string])[] {
  if (failure?.kind !== "refused") return [];
  return failure.errors
    .map(({ path, message }) => [path.replace(/^\/?arguments(?=\/|$)/, ""), message] as const)
    .filter(([path]) => path.startsWith("/"));
}
