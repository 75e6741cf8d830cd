/** For how long a grant holds, and for which values only. */
import { texts } from "../../texts/texts.ts";
import { type GrantLength, grantLengths } from "./grant-body.ts";

export interface GrantChoicesProps {
  /** Keeps the choices of two calls apart. */
  readonly id: string;
  readonly length: GrantLength;
  readonly onLength: (length: GrantLength) => void;
  /** Each condition that can be chosen, as text, by its argument's name. */
  readonly conditions: readonly (readonly [string, string])[];
  readonly only: readonly string[];
  readonly onOnly: (name: string, on: boolean) => void;
}

export function GrantChoices({ id, length, onLength, conditions, only, onOnly }: GrantChoicesProps) {
  const words = texts.grant;
  return (
    <>
      <fieldset class="choices">
        <legend class="label">{words.howLong}</legend>
        {grantLengths.map((one) => (
          <label key={one} class="choice">
            <input type="radio" name={`${id}-length`} checked={length === one} onChange={() => onLength(one)} />
            <span>{words.length[one]}</span>
          </label>
        ))}
      </fieldset>
      {conditions.length > 0 && (
        <fieldset class="conditions">
          <legend class="label">{words.onlyIf}</legend>
          {conditions.map(([name, text]) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={only.includes(name)}
                onChange={(event) => onOnly(name, event.currentTarget.checked)}
              />
              <span>{text}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
