/** The inbox: the page of waiting calls. */
import { useEffect } from "preact/hooks";
import { Mark } from "../shell/icon.tsx";
import { PageHeading, SkeletonCards } from "../shell/page-parts.tsx";
import { texts } from "../texts/texts.ts";
import { approvalOf, keepOnly, loaded, waiting } from "./approvals.ts";
import { ApprovalCard } from "./card/approval-card.tsx";
import { leaveCall, watchAddress } from "./list/call-address.ts";
import { CallList } from "./list/call-list.tsx";
import { ChosenCalls } from "./list/chosen-calls.tsx";
import { chosenCalls, opened, shown, splits, watchList } from "./list/selection.ts";
import { texts as listTexts } from "./list/texts.ts";
import { isOver, listed } from "./listed.ts";
import { othersWaiting, ScopeSwitch, showWholeTenant, waitingCounts, wholeTenant } from "./scope.tsx";
import { listenToKeys } from "./shortcuts.ts";

export function InboxPage() {
  useEffect(listenToKeys, []);
  useEffect(watchList, []);
  useEffect(watchAddress, []);
  // A user who leaves the page has moved on from calls that were answered elsewhere.
  useEffect(() => () => keepOnly(() => false), []);
  const ids = listed.value;
  return (
    <>
      <ScopeSwitch counts />
      {!loaded.value && <SkeletonCards />}
      {loaded.value && ids.length === 0 && <NothingWaits />}
      {loaded.value && ids.length > 0 && (
        <>
          <PageHeading>{headline()}</PageHeading>
          {splits.value ? <Split /> : <Cards ids={ids} />}
        </>
      )}
    </>
  );
}

const Cards = ({ ids }: { readonly ids: readonly string[] }) => (
  <div class="cards">
    {ids.map((id) => {
      const approval = approvalOf(id);
      return approval && <ApprovalCard key={id} approval={approval} over={isOver(id)} />;
    })}
  </div>
);

/** The list, and beside it one call or the chosen calls. On a phone the call covers the list. */
function Split() {
  const id = shown.value;
  const several = chosenCalls.value.length > 0;
  return (
    <div class={`split ${opened.value || several ? "opened" : ""}`}>
      <CallList />
      <div class="beside">
        {!several && (
          <button type="button" class="quiet back" onClick={leaveCall}>
            {listTexts.back}
          </button>
        )}
        {several ? <ChosenCalls /> : <Cards ids={id === undefined ? [] : [id]} />}
      </div>
    </div>
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
