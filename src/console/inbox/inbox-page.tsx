/** What waits for the person. */
import { useEffect } from "preact/hooks";
import { Mark } from "../shell/icon.tsx";
import { PageHeading, SkeletonCards } from "../shell/page-parts.tsx";
import { texts } from "../texts/texts.ts";
import { approvalOf, loaded, waiting } from "./approvals.ts";
import { ApprovalCard } from "./card/approval-card.tsx";
import { isExpired, listed } from "./listed.ts";
import { othersWaiting, ScopeSwitch, showWholeTenant, waitingCounts, wholeTenant } from "./scope.tsx";
import { listenToKeys } from "./shortcuts.ts";

export function InboxPage() {
  useEffect(listenToKeys, []);
  const ids = listed.value;
  return (
    <>
      <ScopeSwitch counts />
      {!loaded.value && <SkeletonCards />}
      {loaded.value && ids.length === 0 && <NothingWaits />}
      {loaded.value && ids.length > 0 && (
        <>
          <PageHeading>{headline()}</PageHeading>
          <div class="cards">
            {ids.map((id) => {
              const approval = approvalOf(id);
              return approval && <ApprovalCard key={id} approval={approval} expired={isExpired(id)} />;
            })}
          </div>
        </>
      )}
    </>
  );
}

function headline(): string {
  if (waiting.value.length > 0) return texts.waiting.headline(waitingCounts.value);
  return wholeTenant.value ? texts.waiting.noneAtAll : texts.waiting.none;
}

function NothingWaits() {
  const words = texts.waiting;
  const others = othersWaiting.value;
  return (
    <div class="empty">
      <Mark large open />
      <PageHeading>{headline()}</PageHeading>
      <p>{words.noneNote}</p>
      {!wholeTenant.value && others !== undefined && others.count > 0 && (
        <button type="button" class="button" onClick={() => showWholeTenant(true)}>
          {words.showOthers(others.count, others.more)}
        </button>
      )}
    </div>
  );
}
