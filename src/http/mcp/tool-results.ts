/** The outcome of a call, as MCP's clients read it. Pure. */

import type { Approval } from "../../approvals/approval.ts";
import { approvalView } from "../../approvals/approval-view.ts";
import { describeApproval, disclosureText } from "../../approvals/disclosure/disclosure.ts";
import { isObject, type JsonObject, objectsIn } from "../../lib/json/json-value.ts";
import { visibleTexts } from "../../lib/text/unseen-characters.ts";
import type { ToolCallOutcome } from "../../turn/tool-call/run-tool-call.ts";

interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** @param inbox where people answer questions; undefined if the gateway's address is not known. */
export function toolResult(
  outcome: Exclude<ToolCallOutcome, { kind: "failed" }>,
  turn: string,
  inbox: string | undefined,
): ToolResult {
  const meta = { "toolgate/turn": turn };
  switch (outcome.kind) {
    case "ran": {
      const { id, status } = outcome.run;
      const members = { ...meta, "toolgate/call": id, "toolgate/status": status };
      return {
        content: textContent(outcome.text),
        ...(status === "succeeded" ? {} : { isError: true }),
        _meta: members,
      };
    }
    case "selected":
      return { content: textContent(outcome.text), _meta: meta };
    case "refused":
      return {
        content: textContent(outcome.text),
        isError: true,
        _meta: { ...meta, "toolgate/reasons": outcome.codes },
      };
    case "unreachable":
      return { content: textContent(outcome.text), isError: true, _meta: meta };
    case "asked": {
      const approval = approvalView(outcome.approval, "whole");
      return {
        content: textContent(questionText(outcome.approval, inbox)),
        isError: true,
        _meta: { ...meta, "toolgate/approval": approval },
      };
    }
  }
}

/** For a tool that the policy trusts, whose result is not longer than a model may get: nothing in it needs a mark. */
export function isTakenWhole(outcome: ToolCallOutcome): boolean {
  if (outcome.kind !== "ran") return false;
  const { entry, outcome: ended } = outcome.run;
  return entry.trusted && ended?.cut === false && ended.suspicious.length === 0;
}

export function wholeOf({ content, structuredContent }: JsonObject): JsonObject {
  const blocks = Array.isArray(content) ? { content: visibleTexts(content) } : {};
  return structuredContent === undefined ? blocks : { ...blocks, structuredContent };
}

/** Parts that the text of a result only names: images, sounds, files and links. */
export const blocksBesides = ({ content }: JsonObject): readonly JsonObject[] =>
  objectsIn(content).filter(({ type, resource }) => {
    if (type === "image" || type === "audio" || type === "resource_link") return true;
    return type === "resource" && isObject(resource) && typeof resource.text !== "string";
  });

const textContent = (text: string) => [{ type: "text" as const, text }];

/**
 * The question about a call, as an error message: for a client that cannot ask the person itself. The model reads it, so it has no
 * link that answers directly: whoever holds such a link answers as the user.
 */
function questionText(approval: Approval, inbox: string | undefined): string {
  const view = describeApproval(approval, "recorded");
  const where = inbox === undefined ? "in Toolgate's console" : `at ${inbox}`;
  return [
    `Not done: a person must answer first (approval ${approval.id}, code ${approval.code}).`,
    disclosureText(view),
    `The user answers ${where}, or with POST /v1/approvals/${approval.id}. Then make the very same call again: it runs once.`,
  ].join("\n\n");
}
