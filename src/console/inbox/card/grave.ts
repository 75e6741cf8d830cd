/** Recognises consequences that the gateway marks as grave. */
import type { Consequence } from "../../../approvals/disclosure/disclosed.ts";

/** The gateway's text has this sign in front; the page shows an icon and a colour instead. */
const MARK = /^⚠\uFE0F?\s*/;

export const isGrave = ({ text }: Consequence): boolean => MARK.test(text);
export const withoutMark = ({ text }: Consequence): string => text.replace(MARK, "");
