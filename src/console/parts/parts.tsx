/** Small components that pages share: a pill, a time, a table, a figure, an empty list. */
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { HOUR_MS, MINUTE_MS } from "../../lib/time.ts";
import { now } from "../inbox/clock.ts";
import { Icon, type IconName, Mark } from "../shell/icon.tsx";
import { ago, duration, texts, when } from "../texts/texts.ts";

/** `go` runs, `wait` asks, `grave` is refused or failed, `calm` is neither. */
export type Tone = "go" | "wait" | "grave" | "calm";

interface PillProps {
  readonly tone: Tone;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

export function Pill({ tone, icon, children }: PillProps) {
  return (
    <span class={`pill ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** Says how long ago a time was; the exact time is its title. */
export function Ago({ at }: { readonly at: string }) {
  // Drawn again only when the text changes, not each second: a list has a hundred of them.
  const words = useMemo(() => computed(() => ago(Math.max(0, now.value - Date.parse(at)))), [at]);
  return (
    <time dateTime={at} title={when(at)}>
      {words.value}
    </time>
  );
}

/** Says how long until a time, in whole hours from one hour on; rounded like the time on the card beside it. */
export function Left({ until }: { readonly until: string }) {
  const words = useMemo(
    () =>
      computed(() => {
        const ms = Math.max(0, Date.parse(until) - now.value);
        const near = ms + MINUTE_MS / 2;
        return texts.card.left(duration(near < HOUR_MS ? ms : near - (near % HOUR_MS)));
      }),
    [until],
  );
  return (
    <time dateTime={until} title={when(until)}>
      {words.value}
    </time>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Shown in place of an empty list: why it is empty, and what to do next. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty small">
      <Mark large open />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface TableProps {
  /** A text, or a text with the class of its cell. */
  readonly heads: readonly (string | readonly [text: string, className: string])[];
  /** The rows. */
  readonly children: ComponentChildren;
}

export const Table = ({ heads, children }: TableProps) => (
  <div class="panel-box scrolls">
    <table class="table">
      <thead>
        <tr>
          {heads.map((head) => {
            const [text, className] = typeof head === "string" ? [head] : head;
            return (
              <th key={text} class={className}>
                {text}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly tone?: Tone;
  /** Address of the list that the number counts. */
  readonly href?: string | undefined;
}

export function Figure({ name, value, note, tone = "calm", href }: FigureProps) {
  const inside = (
    <>
      <span class="figure-name">{name}</span>
      <strong class="figure-value">{value}</strong>
      {note !== undefined && <span class="figure-note">{note}</span>}
    </>
  );
  if (href === undefined) return <div class={`figure ${tone}`}>{inside}</div>;
  return (
    <a class={`figure ${tone}`} href={href}>
      {inside}
    </a>
  );
}
