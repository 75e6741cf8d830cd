/** A call's arguments as fields to edit. */

import { toPointer } from "../../lib/json/json-value.ts";
import { texts } from "../texts/texts.ts";
import type { Drafts } from "./draft.ts";
import type { Field } from "./field.ts";
import { FieldControl } from "./field-control.tsx";
import type { FieldProps, FormContext } from "./field-props.ts";
import { FieldState } from "./field-state.tsx";

export interface SchemaFormProps {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  readonly path: string;
  readonly context: FormContext;
  readonly onChange: (drafts: Drafts) => void;
}

export function SchemaForm({ fields, drafts, path, context, onChange }: SchemaFormProps) {
  return (
    <>
      {fields.map((field) => {
        const draft = drafts[field.name];
        return (
          draft && (
            <FieldRow
              key={field.name}
              field={field}
              draft={draft}
              path={path + toPointer([field.name])}
              context={context}
              onChange={(next) => onChange({ ...drafts, [field.name]: next })}
            />
          )
        );
      })}
    </>
  );
}

function FieldRow(props: FieldProps) {
  const { field, draft, path, context } = props;
  const id = `${context.id}${path}`;
  const problem = context.problems.get(path);
  const grouped = draft.state === "given" && (field.input.kind === "group" || field.input.kind === "list");
  const about = (
    <>
      {field.description && (
        <p id={`${id}-about`} class="hint">
          {field.description}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="problem">
          {problem}
        </p>
      )}
    </>
  );
  const control =
    draft.state === "given" ? (
      <GroupOrControl {...props} id={id} />
    ) : (
      <p class="unset" id={id}>
        {draft.state === "hidden" ? texts.form.hidden : draft.state === "null" ? "null" : texts.form.leftOut}
      </p>
    );
  if (grouped) {
    return (
      <fieldset class="field group">
        <legend class="label">{field.label}</legend>
        {about}
        {control}
        <FieldState {...props} />
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label class="label" for={draft.state === "given" ? id : undefined}>
        {field.label}
      </label>
      {about}
      {control}
      <FieldState {...props} />
    </div>
  );
}

function GroupOrControl(props: FieldProps & { readonly id: string }) {
  const { field, draft, path, context, onChange } = props;
  if (field.input.kind !== "group") return <FieldControl {...props} />;
  const onMembers = (members: Drafts) => onChange({ ...draft, members });
  return (
    <SchemaForm fields={field.input.fields} drafts={draft.members} path={path} context={context} onChange={onMembers} />
  );
}
