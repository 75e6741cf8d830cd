/** The arguments of a call, each whole and with its own line breaks. */

import { useSignal } from "@preact/signals";
import type { ApprovalView } from "../../../api-views/approval-views.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { shownJson, shownLine } from "../../../lib/text/visible-text.ts";
import { prettyJson, wholeValue } from "../../../lib/text/whole-value.ts";
import { HIDDEN } from "../../form/field.ts";
import { texts } from "../../texts/texts.ts";
import { hostIn, valueKind } from "./value-kind.ts";

interface ValuesProps {
  readonly tool: string;
  readonly values: readonly ValueView[];
  /** Names of the opened values: private and long ones are closed at first. */
  readonly seen: ReadonlySet<string>;
  readonly onSee: (name: string) => void;
}

export function Values({ tool, values, seen, onSee }: ValuesProps) {
  const words = texts.card;
  if (values.length === 0) return <p class="hint">{words.noValues}</p>;
  return (
    <section class="values">
      <h3>{words.values}</h3>
      <dl>
        {values.map((value) => {
          const isBrief = value.isHidden || (value.text.length <= BRIEF && !value.text.includes("\n"));
          return (
            <div key={value.name} class={isBrief ? undefined : "long"}>
              <dt>
                {value.name}
                <ValueNotes value={value} />
              </dt>
              <dd>
                <Value tool={tool} value={value} isSeen={seen.has(value.name)} onSee={() => onSee(value.name)} />
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function ValueNotes({ value: { text, isJson, escaped } }: { readonly value: ValueView }) {
  const kind = /^-?\d/.test(text) ? texts.card.number : "JSON";
  const notes = [...(isJson ? [kind] : []), ...(escaped ? [texts.card.escaped] : [])];
  return notes.length === 0 ? null : <span class="aside"> {notes.join(", ")}</span>;
}

interface ValueProps {
  readonly tool: string;
  readonly value: ValueView;
  readonly isSeen: boolean;
  readonly onSee: () => void;
}

function Value({ tool, value: { text, isHidden, isPrivate, isLong, characters, name }, isSeen, onSee }: ValueProps) {
  const words = texts.card;
  if (isHidden) return <span class="hidden-value">{words.hidden}</span>;
  if (isPrivate && !isSeen) {
    return (
      <button type="button" class="quiet small reveal" aria-label={words.revealOne(name)} onClick={onSee}>
        {words.reveal}
      </button>
    );
  }
  const kind = valueKind(tool, name, text);
  if (!isLong) return <pre class={`mono value ${kind}`}>{kind === "address" ? <Address text={text} /> : text}</pre>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by the keyboard */}
      <pre class={isSeen ? "mono value block open" : "mono value block"} tabIndex={0}>
        {text}
      </pre>
      {!isSeen && (
        <button type="button" class="quiet small" onClick={onSee}>
          {words.showAll(characters)}
        </button>
      )}
    </>
  );
}

function Address({ text }: { readonly text: string }) {
  const [from, to] = hostIn(text) ?? [0, 0];
  return (
    <>
      {text.slice(0, from)}
      <span class="host">{text.slice(from, to)}</span>
      {text.slice(to)}
    </>
  );
}

/** The whole call as JSON, as it is sent. */
export function AsJson({ arguments: values }: Pick<ApprovalView, "arguments">) {
  const isOpen = useSignal(false);
  return (
    <details
      class="learn"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{texts.card.asJson}</summary>
      {isOpen.value && <pre class="json">{shownJson(prettyJson(values) ?? "").text}</pre>}
    </details>
  );
}

const signs = { same: " ", added: "+", removed: "−" } as const;

export function Changes({ lines }: { readonly lines: ApprovalView["details"]["changes"] }) {
  if (lines.length === 0) return null;
  return (
    <section class="changes">
      <h3>{texts.card.changes}</h3>
      <ol class="mono">
        {lines.map(({ kind, text }, index) => (
          <li key={index} class={kind}>
            <span class="sign" aria-hidden="true">
              {signs[kind]}
            </span>
            {kind !== "same" && <span class="visually-hidden">{texts.card[kind]}: </span>}
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A value as the page draws it: whole, and unambiguous (two different values never look the same). */
interface ValueView {
  readonly name: string;
  readonly text: string;
  /** JSON, because the value is not a text. */
  readonly isJson: boolean;
  readonly escaped: boolean;
  readonly isHidden: boolean;
  /** Records redact it: it is shown on demand. */
  readonly isPrivate: boolean;
  /** Too long to be read at a glance: it is opened on demand. */
  readonly isLong: boolean;
  readonly characters: number;
}

/** Values up to this length are beside their name; longer ones are below it. */
const BRIEF = 60;

/** If the policy keeps the arguments out of the record, only the beginnings of the values are known. */
export function shownValues({
  arguments: whole,
  details,
}: Pick<ApprovalView, "arguments" | "details">): readonly ValueView[] {
  const disclosed = new Map((details?.arguments ?? []).map((one, index) => [one.name, { ...one, index }]));
  if (!isObject(whole)) {
    return [...disclosed.values()].map(({ name, value, escaped, redacted, private: isPrivate }) => ({
      ...{ name, text: value, isJson: false, escaped, isHidden: redacted, isPrivate },
      ...{ isLong: false, characters: value.length },
    }));
  }
  const rank = (name: string) => disclosed.get(shownLine(name).text)?.index ?? Number.MAX_SAFE_INTEGER;
  return Object.entries(whole)
    .sort(([one], [other]) => rank(one) - rank(other))
    .map(([name, value]) => {
      const known = disclosed.get(shownLine(name).text);
      const shownName = shownLine(name);
      const { text, isJson, escaped, isLong } = wholeValue(value);
      return {
        name: shownName.text,
        text,
        isJson,
        escaped: escaped || shownName.escaped,
        isHidden: known?.redacted ?? value === HIDDEN,
        isPrivate: known?.private ?? false,
        isLong,
        characters: isJson ? text.length : [...String(value)].length,
      };
    });
}

/** The values that the user must bring into view before approving. */
export const unseenValues = (values: readonly ValueView[], seen: ReadonlySet<string>): readonly string[] =>
  values
    .filter(({ isHidden, isPrivate, isLong, name }) => !isHidden && (isPrivate || isLong) && !seen.has(name))
    .map(({ name }) => name);
