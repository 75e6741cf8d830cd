/** The users who were active lately, and the state of the chosen one. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { EffectCounts } from "../../api-views/trail-views.ts";
import { DAY_MS } from "../../lib/time.ts";
import { Ago, Table } from "../parts/parts.tsx";
import { usePages } from "../parts/use-api.ts";
import { ListEnd } from "../shell/page-parts.tsx";
import { number } from "../texts/texts.ts";
import { EffectPills } from "../trail/trail-parts.tsx";
import { UserState } from "./one-user.tsx";
import { texts } from "./texts.ts";

type Days = keyof typeof texts.days;
type Sort = keyof typeof texts.sorts;

export function People() {
  const { query, route } = useLocation();
  const chosen = query.user ?? "";
  const choose = (user: string) => route(`/console/users?user=${encodeURIComponent(user)}`);
  const heading = useRef<HTMLHeadingElement>(null);
  // The heading may be far from the pressed name: above it, or on a phone below all names.
  useEffect(() => {
    if (chosen === "") return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "center" });
  }, [chosen]);
  return (
    <div class="halves">
      <section>
        <h2>{texts.recent}</h2>
        <RecentPeople chosen={chosen} onChoose={choose} />
      </section>
      <section>
        <h2 ref={heading} tabIndex={-1}>
          {chosen === "" ? texts.about : chosen}
        </h2>
        {/* Users who were not active lately are not listed: their name is typed. */}
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            choose(String(new FormData(event.currentTarget).get("user") ?? "").trim());
          }}
        >
          <label>
            {texts.user}
            <input name="user" type="search" autocomplete="off" />
          </label>
          <button type="submit" class="button">
            {texts.look}
          </button>
        </form>
        {chosen === "" ? <p class="lead">{texts.choose}</p> : <UserState key={chosen} user={chosen} />}
      </section>
    </div>
  );
}

interface Person {
  readonly id: string;
  readonly role: string;
  readonly sessions: number;
  readonly effects: EffectCounts;
  readonly last_at: string;
}

interface RecentProps {
  readonly chosen: string;
  readonly onChoose: (user: string) => void;
}

function RecentPeople({ chosen, onChoose }: RecentProps) {
  const days = useSignal<Days>("7");
  const sort = useSignal<Sort>("last");
  const search = useSignal("");
  // Fixed when the span is chosen, so that all pages have the same start.
  const from = useMemo(() => new Date(Date.now() - Number(days.value) * DAY_MS).toISOString(), [days.value]);
  const query = new URLSearchParams({ from, sort: sort.value, limit: "25" });
  if (search.value !== "") query.set("search", search.value);
  const list = usePages<Person>(`/v1/audit/users?${query}`);
  const people = list.rows.value;
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          {texts.find}
          <input
            type="search"
            autocomplete="off"
            onInput={({ currentTarget }) => {
              search.value = currentTarget.value.trim();
            }}
          />
        </label>
        <Choice label={texts.time} words={texts.days} chosen={days} />
        <Choice label={texts.sort} words={texts.sorts} chosen={sort} />
      </form>
      {people?.length === 0 && <p class="lead">{search.value === "" ? texts.nobody : texts.nobodyFound}</p>}
      {people && people.length > 0 && (
        <Table heads={[texts.user, [texts.sessions, "number wide-only"], texts.calls, texts.last]}>
          {people.map((person) => (
            <PersonRow key={person.id} of={person} chosen={chosen} onChoose={onChoose} />
          ))}
        </Table>
      )}
      <ListEnd list={list} more={texts.more} />
      {list.cut.value && <p class="hint">{texts.cut}</p>}
    </>
  );
}

interface PersonRowProps extends RecentProps {
  readonly of: Person;
}

function PersonRow({ of: { id, role, sessions, effects, last_at: at }, chosen, onChoose }: PersonRowProps) {
  return (
    <tr>
      <td>
        <button
          type="button"
          class="row-link"
          aria-current={id === chosen ? "true" : undefined}
          onClick={() => onChoose(id)}
        >
          {id}
        </button>{" "}
        <span class="hint wide-only">{role}</span>
      </td>
      <td class="number wide-only">{number(sessions)}</td>
      <td>
        <EffectPills counts={effects} />
      </td>
      <td class="nowrap">
        <Ago at={at} />
      </td>
    </tr>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly words: Readonly<Record<T, string>>;
  readonly chosen: Signal<T>;
}

const Choice = <T extends string>({ label, words, chosen }: ChoiceProps<T>) => (
  <label>
    {label}
    <select
      value={chosen.value}
      onChange={({ currentTarget }) => {
        chosen.value = currentTarget.value as T;
      }}
    >
      {(Object.keys(words) as T[]).map((name) => (
        <option key={name} value={name}>
          {words[name]}
        </option>
      ))}
    </select>
  </label>
);
