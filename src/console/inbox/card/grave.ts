/** What the gateway marks as grave. */
import type { Consequence } from "../../../approvals/disclosure/disclosed.ts";

/** The gateway's words mark it with a sign; the page does so with an icon and a colour. */
const MARK = /^⚠\uFE0F?\s*/;

export const isGrave = ({ text }: Consequence): boolean => MARK.test(text);
export const withoutMark = ({ text }: Consequence): string => text.replace(MARK, "");
