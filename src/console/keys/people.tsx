/** Who has used the gateway lately, and what one of them has. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { EffectCounts, SessionRow } from "../api/trail-views.ts";
import type { ListOf } from "../api/views.ts";
import { Ago } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, SkeletonRows } from "../shell/page-parts.tsx";
import { EffectPills } from "../trail/trail-parts.tsx";
import { UserState } from "./one-user.tsx";
import { texts } from "./texts.ts";

export function People() {
  const chosen = useSignal("");
  const heading = useRef<HTMLHeadingElement>(null);
  // It may be far from the name that was pressed: above it, or on a phone below all names.
  useEffect(() => {
    if (chosen.value === "") return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "center" });
  }, [chosen.value]);
  return (
    <div class="halves">
      <section>
        <h2>{texts.recent}</h2>
        <RecentPeople
          chosen={chosen.value}
          onChoose={(name) => {
            chosen.value = name;
          }}
        />
      </section>
      <section>
        <h2 ref={heading} tabIndex={-1}>
          {chosen.value === "" ? texts.about : chosen.value}
        </h2>
        {/* Who has done nothing lately is in no list. */}
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            chosen.value = String(new FormData(event.currentTarget).get("user") ?? "").trim();
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
        {chosen.value === "" ? (
          <p class="lead">{texts.choose}</p>
        ) : (
          <UserState key={chosen.value} user={chosen.value} />
        )}
      </section>
    </div>
  );
}

interface Person {
  readonly user: string;
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
  const { value, failure } = useApi<ListOf<SessionRow>>("/v1/audit/sessions?limit=100");
  if (failure.value) return <FailureNote failure={failure.value} />;
  if (!value.value) return <SkeletonRows />;
  const people = peopleOf(value.value.data);
  if (people.length === 0) return <p class="lead">{texts.nobody}</p>;
  return (
    <div class="panel-box scrolls">
      <table class="table">
        <thead>
          <tr>
            <th>{texts.user}</th>
            <th class="number wide-only">{texts.sessions}</th>
            <th>{texts.calls}</th>
            <th>{texts.last}</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ user, role, sessions, effects, last_at: at }) => (
            <tr key={user}>
              <td>
                <button
                  type="button"
                  class="row-link"
                  aria-current={user === chosen ? "true" : undefined}
                  onClick={() => onChoose(user)}
                >
                  {user}
                </button>{" "}
                <span class="hint wide-only">{role}</span>
              </td>
              <td class="number wide-only">{sessions}</td>
              <td>
                <EffectPills counts={effects} />
              </td>
              <td class="nowrap">
                <Ago at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Of the last sessions, the newest first: the last one of each person says their role. */
function peopleOf(sessions: readonly SessionRow[]): readonly Person[] {
  const people = new Map<string, Person>();
  for (const { user, role, effects, last_at } of sessions) {
    const before = people.get(user);
    const sum = (name: keyof EffectCounts) => (before?.effects[name] ?? 0) + effects[name];
    people.set(user, {
      user,
      role: before?.role ?? role,
      sessions: (before?.sessions ?? 0) + 1,
      effects: { allow: sum("allow"), confirm: sum("confirm"), deny: sum("deny") },
      last_at: before?.last_at ?? last_at,
    });
  }
  return [...people.values()];
}
