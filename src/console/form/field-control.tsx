/** The control for a field that has a value and no members. */
import { texts } from "../texts/texts.ts";
import type { FieldProps } from "./field-props.ts";
import { ItemControl } from "./item-control.tsx";
import { ListControl } from "./list-control.tsx";

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
