/** What waits for the person. */
import { useEffect } from "preact/hooks";
import { Mark } from "../shell/mark.tsx";
import { PageHeading } from "../shell/page-heading.tsx";
import { texts } from "../texts/texts.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { approvalOf, loaded, waiting } from "./approvals.ts";
import { listenToKeys } from "./shortcuts.ts";

export function InboxPage() {
  useEffect(listenToKeys, []);
  const ids = waiting.value;
  if (!loaded.value) return <p class="opening">{texts.opening}</p>;
  if (ids.length === 0) {
    return (
      <div class="empty">
        <Mark large open />
        <PageHeading>{texts.waiting.none}</PageHeading>
        <p>{texts.waiting.noneNote}</p>
      </div>
    );
  }
  return (
    <>
      <PageHeading>{texts.waiting.count(ids.length)}</PageHeading>
      <div class="cards">
        {ids.map((id) => {
          const approval = approvalOf(id);
          return approval && <ApprovalCard key={id} approval={approval} />;
        })}
      </div>
    </>
  );
}
