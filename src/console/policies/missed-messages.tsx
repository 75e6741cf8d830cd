/** Messages without a detected intent for which the model named one: one press makes a message an example. Kept only if the policy says so. */

import type { ListOf } from "../../api-views/approval-views.ts";
import type { MissedMessageView, PolicyView } from "../../api-views/policy-views.ts";
import { useApi } from "../parts/use-api.ts";
import { FailureNote, SkeletonRows } from "../shell/page-parts.tsx";
import { isNewExample, keepingMissed, keepsMissed, withExample } from "./document-edits.ts";
import { type Document, type Draft, documentOf, textOfDocument } from "./draft.ts";
import { texts } from "./texts.ts";

interface MissedMessagesProps {
  readonly tenant: string;
  readonly policy: PolicyView;
  readonly draft: Draft;
}

export function MissedMessages({ tenant, policy, draft }: MissedMessagesProps) {
  const words = texts.missed;
  const isKept = keepsMissed(policy.document);
  const path = `/admin/policies/${encodeURIComponent(tenant)}/missed-messages`;
  const { value, failure, loading } = useApi<ListOf<MissedMessageView>>(isKept ? path : undefined);
  const messages = value.value?.data.filter((one) => isNewExample(policy.document, one)) ?? [];
  const change = (next: (document: Document) => Document) => {
    const document = documentOf(draft.text.value);
    if (document) draft.replace(textOfDocument(next(document)));
  };
  return (
    <>
      <h2>{words.title}</h2>
      {!isKept && (
        <>
          <p class="hint">{words.off}</p>
          <p class="pills">
            <button type="button" class="filter-pill" onClick={() => change(keepingMissed)}>
              {words.keep}
            </button>
          </p>
        </>
      )}
      {failure.value && <FailureNote failure={failure.value} />}
      {loading.value && <SkeletonRows />}
      {value.value && messages.length === 0 && <p class="hint">{words.none}</p>}
      <ul class="versions">
        {messages.map((one) => (
          <li key={`${one.intent} ${one.message}`}>
            <p dir="auto">“{one.message}”</p>
            <p class="hint">{words.named(one.intent, one.turns, one.users)}</p>
            <p class="pills">
              <button
                type="button"
                class="filter-pill"
                onClick={() => change((document) => withExample(document, one))}
              >
                {words.take(one.intent)}
              </button>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
