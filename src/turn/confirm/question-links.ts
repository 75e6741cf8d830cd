/**
 * Links in the chat to the page that answers a question. Each is a credential: whoever holds it answers as the user. So a question has one
 * only if the policy says so, and the model never sees one.
 */
import type { Approval } from "../../approvals/approval.ts";
import { signLink } from "../../approvals/link-token.ts";
import { isObject } from "../../lib/json/json-value.ts";
import type { Turn, TurnInput } from "../turn.ts";

/** Undefined if questions carry no link. */
export const linkTo = ({ input }: Turn): ((approval: Approval) => string) | undefined =>
  carriesLinks(input) ? (approval) => String(approvalLink(input, approval)) : undefined;

type LinkParts = Pick<TurnInput, "links" | "policy" | "principal">;

const carriesLinks = ({ links, policy }: LinkParts): boolean => links !== undefined && policy.confirmation.link;

/** Undefined if questions carry none. */
export function approvalLink(parts: LinkParts, { id, expiresAt }: Approval): string | undefined {
  const { links, principal } = parts;
  if (!links || !carriesLinks(parts)) return undefined;
  const { tenant, user } = principal;
  return `${links.publicUrl}/approve/${signLink(links.keys, { approval: id, tenant, user, expiresAt })}`;
}

/** Messages without the links, for the model. */
export function withoutLinks({ input }: Turn, messages: readonly unknown[]): readonly unknown[] {
  const { links } = input;
  // Whatever the current policy says: a link that was made under another one still works.
  if (!links) return messages;
  const start = `${links.publicUrl}/approve/`;
  return messages.map((message) => {
    if (!isObject(message)) return message;
    const { content } = message;
    if (typeof content === "string")
      return content.includes(start) ? { ...message, content: cut(content, start) } : message;
    if (!Array.isArray(content)) return message;
    const json = JSON.stringify(content);
    return json.includes(start) ? { ...message, content: JSON.parse(cut(json, start)) as unknown } : message;
  });
}

const cut = (text: string, start: string): string =>
  text
    .split(start)
    .map((part, index) => (index === 0 ? part : part.replace(/^[A-Za-z0-9_-]*\.?[A-Za-z0-9_-]*/, "")))
    .join("");
