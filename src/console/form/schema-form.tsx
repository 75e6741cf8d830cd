/** A call's arguments as fields to edit. */
import { toPointer } from "../../lib/json/json-value.ts";
import { texts } from "../texts/texts.ts";
import type { Draft, Drafts } from "./draft.ts";
import type { Field, ItemInput } from "./field.ts";

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

export function FieldState({ field, draft, onChange }: FieldProps) {
  const words = texts.form;
  const to = (state: Draft["state"], label: string) => (
    <button key={state} type="button" class="quiet small" onClick={() => onChange({ ...draft, state })}>
      {label}
      <span class="visually-hidden"> {field.label}</span>
    </button>
  );
  const choices = [];
  if (draft.state === "hidden") choices.push(to("given", words.replace));
  if (draft.state === "absent" || draft.state === "null") choices.push(to("given", words.fill));
  if (draft.state === "given" && field.nullable) choices.push(to("null", words.none));
  if (draft.state !== "absent" && !field.required) choices.push(to("absent", words.leaveOut));
  return choices.length > 0 ? <div class="field-states">{choices}</div> : null;
}

export function FieldControl(props: FieldProps & { readonly id: string }) {
  const { field, draft, path, context, onChange, id } = props;
  const { input } = field;
  const onText = (text: string) => onChange({ ...draft, text });
  const common = { id, invalid: context.problems.has(path), described: field.description !== undefined };
  switch (input.kind) {
    case "list":
      return (
        <ListControl
          input={input.item}
          label={field.label}
          items={draft.items}
          path={path}
          context={context}
          onChange={(items) => onChange({ ...draft, items })}
        />
      );
    case "group":
      return null;
    case "truth":
      return (
        <select class="input" id={id} value={draft.text} onChange={(event) => onText(event.currentTarget.value)}>
          <option value="true">{texts.form.yes}</option>
          <option value="false">{texts.form.no}</option>
        </select>
      );
    case "json":
      return (
        <>
          <p class="hint">{texts.form.json}</p>
          <ItemControl {...common} input={{ kind: "text", long: true }} code text={draft.text} onText={onText} />
        </>
      );
    default:
      return <ItemControl {...common} input={input} text={draft.text} onText={onText} />;
  }
}

export interface ListControlProps {
  readonly input: ItemInput;
  readonly label: string;
  readonly items: readonly string[];
  readonly path: string;
  readonly context: FormContext;
  readonly onChange: (items: readonly string[]) => void;
}

export function ListControl({ input, label, items, path, context, onChange }: ListControlProps) {
  return (
    <div class="list">
      {items.map((item, index) => {
        const at = `${path}/${index}`;
        const problem = context.problems.get(at);
        return (
          <div class="list-item" key={index}>
            <ItemControl
              id={`${context.id}${at}`}
              input={input}
              text={item}
              invalid={problem !== undefined}
              label={texts.form.item(label, index + 1)}
              onText={(text) => onChange(items.with(index, text))}
            />
            <button
              type="button"
              class="icon-button"
              aria-label={texts.form.remove(index + 1)}
              onClick={() => onChange(items.toSpliced(index, 1))}
            >
              <span aria-hidden="true">×</span>
            </button>
            {problem !== undefined && (
              <p id={`${context.id}${at}-problem`} class="problem">
                {problem}
              </p>
            )}
          </div>
        );
      })}
      <button
        type="button"
        class="quiet small"
        onClick={() => onChange([...items, input.kind === "choice" ? "0" : ""])}
      >
        + {texts.form.add}
        <span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}

export interface ItemControlProps {
  readonly id: string;
  readonly input: ItemInput;
  readonly text: string;
  readonly invalid: boolean;
  readonly described?: boolean;
  /** Drawn as code. */
  readonly code?: boolean;
  /** Where no label element names it. */
  readonly label?: string;
  readonly onText: (text: string) => void;
}

export function ItemControl({ id, input, text, invalid, described, code, label, onText }: ItemControlProps) {
  const describedBy = [described ? `${id}-about` : "", invalid ? `${id}-problem` : ""].filter(Boolean).join(" ");
  const common = {
    id,
    "aria-label": label,
    "aria-invalid": invalid,
    "aria-describedby": describedBy || undefined,
    class: code ? "input mono" : "input",
  };
  if (input.kind === "choice") {
    return (
      <select {...common} value={text} onChange={(event) => onText(event.currentTarget.value)}>
        {input.options.map((option, index) => (
          <option key={String(option)} value={String(index)}>
            {String(option)}
          </option>
        ))}
      </select>
    );
  }
  if (input.kind === "number") {
    return (
      <input
        {...common}
        type="text"
        inputMode={input.whole ? "numeric" : "decimal"}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    );
  }
  if (!input.long)
    return (
      <input {...common} type="text" dir="auto" value={text} onInput={(event) => onText(event.currentTarget.value)} />
    );
  const rows = Math.min(14, Math.max(3, text.split("\n").length + Math.floor(text.length / 60)));
  return (
    <textarea {...common} dir="auto" rows={rows} value={text} onInput={(event) => onText(event.currentTarget.value)} />
  );
}

export interface FormContext {
  /** Makes ids of one form differ from those of another. */
  readonly id: string;
  /** What is wrong at a JSON pointer, as text. */
  readonly problems: ReadonlyMap<string, string>;
}

export interface FieldProps {
  readonly field: Field;
  readonly draft: Draft;
  /** JSON pointer. */
  readonly path: string;
  readonly context: FormContext;
  readonly onChange: (draft: Draft) => void;
}
