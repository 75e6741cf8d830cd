/** The form that edits a call's arguments. */
import { toPointer } from "../../lib/json/json-value.ts";
import { texts } from "../texts/texts.ts";
import type { Draft, Drafts } from "./draft.ts";
import type { Field, ItemInput } from "./field.ts";

interface FormContext {
  /** Prefix that makes element ids unique among forms. */
  readonly id: string;
  /** The text of each problem, by JSON pointer. */
  readonly problems: ReadonlyMap<string, string>;
}

interface SchemaFormProps {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  /** JSON pointer. */
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

interface FieldProps {
  readonly field: Field;
  readonly draft: Draft;
  /** JSON pointer. */
  readonly path: string;
  readonly context: FormContext;
  readonly onChange: (draft: Draft) => void;
}

function FieldRow(props: FieldProps) {
  const { field, draft, path, context } = props;
  const id = `${context.id}${path}`;
  const isGiven = draft.state === "given";
  const rest = (
    <>
      {field.description && (
        <p id={`${id}-about`} class="hint">
          {field.description}
        </p>
      )}
      <Problem id={id} text={context.problems.get(path)} />
      {isGiven && <FieldControl {...props} id={id} />}
      {!isGiven && (
        <p class="unset" id={id}>
          {draft.state === "hidden" ? texts.form.hidden : draft.state === "null" ? "null" : texts.form.leftOut}
        </p>
      )}
      <FieldState {...props} />
    </>
  );
  if (isGiven && (field.input.kind === "group" || field.input.kind === "list")) {
    return (
      <fieldset class="field group">
        <legend class="label">{field.label}</legend>
        {rest}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label class="label" for={isGiven ? id : undefined}>
        {field.label}
      </label>
      {rest}
    </div>
  );
}

function Problem({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={`${id}-problem`} class="problem">
      {text}
    </p>
  );
}

/** Chooses whether a field is left out, null, hidden, or has a value. */
function FieldState({ field, draft: { state }, draft, onChange }: FieldProps) {
  const words = texts.form;
  const choices: readonly (readonly [boolean, Draft["state"], string])[] = [
    [state === "hidden", "given", words.replace],
    [state === "absent" || state === "null", "given", words.fill],
    [state === "given" && field.nullable, "null", words.none],
    [state !== "absent" && !field.required, "absent", words.leaveOut],
  ];
  const offered = choices.filter(([applies]) => applies);
  if (offered.length === 0) return null;
  return (
    <div class="field-states">
      {offered.map(([, next, label]) => (
        <button key={next} type="button" class="quiet small" onClick={() => onChange({ ...draft, state: next })}>
          {label}
          <span class="visually-hidden"> {field.label}</span>
        </button>
      ))}
    </div>
  );
}

function FieldControl({ field, draft, path, context, onChange, id }: FieldProps & { readonly id: string }) {
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
    case "group": {
      const onMembers = (members: Drafts) => onChange({ ...draft, members });
      return (
        <SchemaForm fields={input.fields} drafts={draft.members} path={path} context={context} onChange={onMembers} />
      );
    }
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

interface ListControlProps extends Pick<FieldProps, "path" | "context"> {
  readonly input: ItemInput;
  readonly label: string;
  readonly items: readonly string[];
  readonly onChange: (items: readonly string[]) => void;
}

/** A list of scalars, one per line. */
function ListControl({ input, label, items, path, context, onChange }: ListControlProps) {
  return (
    <div class="list">
      {items.map((item, index) => {
        const itemPath = `${path}/${index}`;
        const id = `${context.id}${itemPath}`;
        const problem = context.problems.get(itemPath);
        return (
          <div class="list-item" key={index}>
            <ItemControl
              id={id}
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
            <Problem id={id} text={problem} />
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

interface ItemControlProps {
  readonly id: string;
  readonly input: ItemInput;
  readonly text: string;
  readonly invalid: boolean;
  readonly described?: boolean;
  /** Shown in the code font. */
  readonly code?: boolean;
  /** The name, if no label element gives one. */
  readonly label?: string;
  readonly onText: (text: string) => void;
}

/** The control for one scalar. */
function ItemControl({ id, input, text, invalid, described, code, label, onText }: ItemControlProps) {
  const describedBy = [described ? `${id}-about` : "", invalid ? `${id}-problem` : ""].filter(Boolean).join(" ");
  const common = {
    id,
    "aria-label": label,
    "aria-invalid": invalid,
    "aria-describedby": describedBy || undefined,
    class: code ? "input mono" : "input",
    value: text,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onText(event.currentTarget.value),
  };
  if (input.kind === "choice") {
    return (
      <select {...common}>
        {input.options.map((option, index) => (
          <option key={String(option)} value={String(index)}>
            {String(option)}
          </option>
        ))}
      </select>
    );
  }
  if (input.kind === "number") return <input {...common} type="text" inputMode={input.whole ? "numeric" : "decimal"} />;
  if (!input.long) return <input {...common} type="text" dir="auto" />;
  const rows = Math.min(14, Math.max(3, text.split("\n").length + Math.floor(text.length / 60)));
  return <textarea {...common} dir="auto" rows={rows} />;
}
