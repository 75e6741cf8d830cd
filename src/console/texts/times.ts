/** Times in the words of the page's language, and in the reader's own time zone. */
import { agoText, dateText, durationText } from "../../lib/text/time-text.ts";
import { language } from "./texts.ts";

export const duration = (ms: number): string => durationText(ms, language);
export const ago = (ms: number): string => agoText(ms, language);
export const when = (iso: string): string => dateText(Date.parse(iso), language);
