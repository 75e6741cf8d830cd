/** The page of the tenant's sessions, the latest first. */
import { useLocation } from "preact-iso";
import type { SessionRow } from "../../api-views/trail-views.ts";
import { Ago, Empty, Table } from "../parts/parts.tsx";
import { usePages } from "../parts/use-api.ts";
import { ListEnd, PageHeading } from "../shell/page-parts.tsx";
import { AWAITING, questionOutcome, useQuestionEvents } from "../trail/question-outcome.ts";
import { EffectPills, sessionLink } from "../trail/trail-parts.tsx";
import { stopWords, trailTexts } from "../trail/trail-texts.ts";
import { texts } from "./texts.ts";

export function SessionsPage() {
  const { query } = useLocation();
  const { user = "" } = query;
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      <UserFilter user={user} />
      {/* Keyed: each user has a list of their own. */}
      <SessionList key={user} user={user} />
    </>
  );
}

function UserFilter({ user }: { readonly user: string }) {
  const { route } = useLocation();
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        const named = String(new FormData(event.currentTarget).get("user") ?? "").trim();
        route(named === "" ? "/console/sessions" : `/console/sessions?user=${encodeURIComponent(named)}`);
      }}
    >
      <label>
        {texts.user}
        <input name="user" type="search" defaultValue={user} autocomplete="off" />
      </label>
      <button type="submit" class="button">
        {texts.filter}
      </button>
    </form>
  );
}

function SessionList({ user }: { readonly user: string }) {
  const filter = user === "" ? "" : `&user=${encodeURIComponent(user)}`;
  const list = usePages<SessionRow>(`/v1/audit/sessions?limit=30${filter}`);
  const sessions = list.rows.value;
  const events = useQuestionEvents(user, sessions?.some((one) => one.stop_reason === AWAITING) === true);
  /** If the last turn ended with questions, they are the session's last ones, and no later request has acted on the answers. */
  const outcomeOf = ({ id, user: of, stop_reason: reason }: SessionRow): string => {
    if (reason !== AWAITING) return stopWords(reason);
    const own = events.filter((one) => one.session === id && one.user === of);
    const last = own.reduce((turn, one) => (one.event === "asked" && one.turn > turn ? one.turn : turn), "");
    return (
      questionOutcome(
        own.filter(({ turn }) => turn === last),
        () => false,
      ) ?? trailTexts.asked
    );
  };
  return (
    <>
      {sessions?.length === 0 && (
        <Empty title={user === "" ? texts.none : texts.noneOf(user)}>
          <p>{user === "" ? texts.noneNote : texts.exactly}</p>
        </Empty>
      )}
      {sessions && sessions.length > 0 && (
        <Table
          heads={[
            texts.who,
            texts.intents,
            [texts.turns, "number wide-only"],
            texts.calls,
            [texts.ended, "wide-only"],
            texts.last,
          ]}
        >
          {sessions.map((session) => (
            <Row key={`${session.user} ${session.id}`} session={session} ended={outcomeOf(session)} />
          ))}
        </Table>
      )}
      <ListEnd list={list} more={texts.more} />
    </>
  );
}

function Row({ session, ended }: { readonly session: SessionRow; readonly ended: string }) {
  const { id, user, role, intents, turns, effects, stop_reason, last_at } = session;
  return (
    <tr>
      <td>
        <a class="row-link" href={sessionLink(id)}>
          {user}
        </a>{" "}
        <span class="hint wide-only">{role}</span>
      </td>
      <td class="mono">{intents.join(", ") || "–"}</td>
      <td class="number wide-only">{turns}</td>
      <td>
        <EffectPills counts={effects} />
      </td>
      <td class="wide-only" title={stop_reason}>
        {ended}
      </td>
      <td class="nowrap">
        <Ago at={last_at} />
      </td>
    </tr>
  );
}
