/** Page of a turn of which only the id is known: it redirects to the turn's session. */

import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { TurnRow } from "../../api-views/trail-views.ts";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, PageHeading, SkeletonCards } from "../shell/page-parts.tsx";
import { sessionLink } from "../trail/trail-parts.tsx";
import { texts } from "./texts.ts";

export function TurnPage({ id = "" }: { readonly id?: string }) {
  const { route } = useLocation();
  const { value, failure } = useApi<{ readonly turn: TurnRow | null }>(`/v1/audit/turns/${encodeURIComponent(id)}`);
  const session = value.value?.turn?.session;
  useEffect(() => {
    if (session !== undefined) route(sessionLink(session, id), true);
  }, [session]);
  if (failure.value || value.value?.turn === null)
    return (
      <>
        <PageHeading>{texts.title}</PageHeading>
        {failure.value ? <FailureNote failure={failure.value} /> : <p class="lead">{texts.missing}</p>}
      </>
    );
  return <SkeletonCards />;
}
