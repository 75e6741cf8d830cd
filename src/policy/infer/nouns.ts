/**
 * Nouns in tools' names: their family, what users call it, and who wrote what its readers return. Pure.
 * A family that is not here is named after the tool's own noun, and what its readers return counts as text of third parties.
 */
import type { InferredEffect } from "./effects.ts";

/** Who wrote what a reader returns. */
export type Origin =
  /** Values of the user's own account, or facts without an author: they hold no text of other people. */
  | "own"
  /** Records that the user's organisation keeps: their ids, amounts and dates are its own, their texts may be a third party's. */
  | "records"
  /** A list of people or accounts that the user keeps. */
  | "directory"
  /** Text that other people write. */
  | "third_party";

interface NounFamily {
  readonly family: string;
  readonly origin: Origin;
  /** In the singular; a tool's name or description has them. */
  readonly nouns: string;
  /** Further words that users have for it. */
  readonly spoken?: string;
}

const families: readonly NounFamily[] = [
  {
    family: "email",
    origin: "third_party",
    nouns: "email mail inbox mailbox gmail outlook draft newsletter correo nachricht",
    spoken: "e-mail",
  },
  {
    family: "message",
    origin: "third_party",
    nouns: "message chat channel dm sms slack thread conversation whatsapp telegram inbox_message",
    spoken: "direct message",
  },
  {
    family: "calendar",
    origin: "third_party",
    nouns: "calendar event meeting appointment invitation agenda slot termin evento",
    spoken: "invite",
  },
  {
    family: "file",
    origin: "third_party",
    nouns: "file document folder directory drive attachment pdf spreadsheet doc sheet datei trash",
    spoken: "docs",
  },
  {
    family: "contact",
    origin: "directory",
    nouns: "contact payee beneficiary employee colleague staff addressbook phonebook teammate coworker member",
    spoken: "address book",
  },
  {
    family: "payment",
    origin: "records",
    nouns:
      "payment transaction transfer money fund payout refund invoice bill deposit withdrawal expense fine payslip salary credit_note debit_note",
    spoken: "bank transfer, amount, difference, rent, standing order, fee, share of the cost",
  },
  {
    family: "account",
    origin: "own",
    nouns: "account user profile password iban setting preference credential subscription",
    spoken: "address, personal data",
  },
  {
    family: "order",
    origin: "records",
    nouns: "order cart basket checkout purchase shipment delivery parcel package pedido return",
    spoken: "purchase",
  },
  { family: "stock", origin: "records", nouns: "stock inventory sku", spoken: "stock level, quantity in stock" },
  {
    family: "discount",
    origin: "records",
    nouns: "discount coupon voucher promo promotion",
    spoken: "discount code, promo code, gift card",
  },
  { family: "product", origin: "third_party", nouns: "product item catalog listing shop store", spoken: "article" },
  { family: "review", origin: "third_party", nouns: "review rating feedback testimonial", spoken: "opinions" },
  {
    family: "booking",
    origin: "records",
    nouns: "booking reservation itinerary ticket_booking trip",
    spoken: "travel plan",
  },
  { family: "hotel", origin: "third_party", nouns: "hotel room accommodation airbnb lodging", spoken: "place to stay" },
  { family: "flight", origin: "records", nouns: "flight airline airport vuelo", spoken: "plane" },
  { family: "restaurant", origin: "third_party", nouns: "restaurant menu cuisine table", spoken: "place to eat" },
  { family: "ride", origin: "records", nouns: "ride taxi cab car driver rental", spoken: "rental car" },
  {
    family: "web",
    origin: "third_party",
    nouns: "web page webpage url website link site browser internet feed rss article news wikipedia",
    spoken: "online",
  },
  {
    family: "post",
    origin: "third_party",
    nouns: "post tweet timeline story status_update feed_post comment thread_post forum reddit",
    spoken: "social media",
  },
  {
    family: "issue",
    origin: "third_party",
    nouns: "issue ticket bug incident case alert oncall",
    spoken: "support ticket",
  },
  {
    family: "repository",
    origin: "third_party",
    nouns: "repository repo commit branch pull merge git github gitlab diff release",
    spoken: "pull request",
  },
  { family: "note", origin: "third_party", nouns: "note memo journal diary notebook", spoken: "jotting" },
  { family: "task", origin: "third_party", nouns: "task todo reminder checklist", spoken: "to-do" },
  {
    family: "shell",
    origin: "third_party",
    nouns: "shell command terminal bash script python code",
    spoken: "program",
  },
  { family: "database", origin: "third_party", nouns: "database table sql row query dataset", spoken: "records" },
  {
    family: "device",
    origin: "records",
    nouns: "light lamp thermostat lock door camera alarm device sensor speaker appliance robot garage",
    spoken: "degree, smart home",
  },
  {
    family: "server",
    origin: "records",
    nouns: "server instance pod deployment cluster service container vm namespace node",
    spoken: "machine",
  },
  {
    family: "patient",
    origin: "records",
    nouns: "patient prescription medication medicine drug lab vaccine diagnosis health",
    spoken: "medical record",
  },
  { family: "weather", origin: "own", nouns: "weather forecast temperature moisture humidity", spoken: "rain" },
  { family: "time", origin: "own", nouns: "time date day timezone clock", spoken: "today" },
  {
    family: "rate",
    origin: "own",
    nouns: "rate currency exchange quote ticker coordinate distance unit expression usage quota limit meter view",
    spoken: "numbers",
  },
  { family: "balance", origin: "own", nouns: "balance kontostand saldo", spoken: "how much money" },
  { family: "music", origin: "records", nouns: "song music playlist album track podcast", spoken: "tune" },
  {
    family: "video",
    origin: "third_party",
    nouns: "video movie film stream youtube transcript subtitle",
    spoken: "clip",
  },
  { family: "customer", origin: "records", nouns: "customer lead opportunity deal client crm", spoken: "prospect" },
  { family: "schema", origin: "records", nouns: "schema column", spoken: "structure" },
  {
    family: "access",
    origin: "records",
    nouns: "permission role key token webhook secret api_key privilege",
    spoken: "rights",
  },
];

const byNoun: ReadonlyMap<string, NounFamily> = new Map(
  families.flatMap((family) => family.nouns.split(" ").map((noun) => [noun, family] as const)),
);

/** Nouns that mean something else with some effects: a table is booked, a code opens a door, and the weather cannot be changed. */
export const meansAnother = (noun: string, effect: InferredEffect): boolean =>
  (noun === "table" && (effect === "commit" || effect === "pay")) ||
  (noun === "code" && effect !== "execute") ||
  (effect !== "read" && FACTS.has(byNoun.get(noun)?.family ?? ""));
const FACTS: ReadonlySet<string> = new Set(["weather", "time", "rate", "balance"]);

/** Many things have items, links and lists: next to another noun these words say little. */
export const isGeneric = (noun: string): boolean => GENERIC.has(noun);
const GENERIC: ReadonlySet<string> = new Set(
  "item link view unit expression date day return exchange health node".split(" "),
);

/** @param noun in the singular. */
export const familyOfNoun = (noun: string): string | undefined => byNoun.get(noun)?.family;
export const originOfNoun = (noun: string): Origin | undefined => byNoun.get(noun)?.origin;

/** The users' word for a family; an unknown family's own name. */
export function spokenNouns(family: string): readonly string[] {
  const known = families.find((one) => one.family === family);
  if (!known) return [family];
  const nouns = known.nouns.split(" ").filter((noun) => !noun.includes("_"));
  return [family, ...nouns.filter((noun) => noun !== family), ...(known.spoken?.split(", ") ?? [])];
}

/** Words for text that a third party may have written, whatever the tool's noun is. */
export const OTHERS_TEXT: ReadonlySet<string> = new Set(
  `review comment message mail email post tweet feedback note description body page webpage web website article news document file content
  text conversation thread inbox attachment bio story transcript testimonial opinion listing issue ticket log diff snapshot feed menu link
  highlight answer reply chat newsletter invitation event court decision wiki`.split(/\s+/),
);

/** Those that are also means to reach a person, as a list of contacts has them. */
export const ADDRESSES: ReadonlySet<string> = new Set(["email", "mail", "inbox", "message"]);

/** Words for money, access and privacy: a change of these has another effect than a change of anything else. */
export const MONEY: ReadonlySet<string> = new Set(
  `payment transaction transfer money fund payout refund charge coin crypto donation expense bill fine salary deposit withdrawal credit_note
  debit_note manual_journal`.split(/\s+/),
);
export const ACCESS: ReadonlySet<string> = new Set(
  `password permission role key token credential webhook payee beneficiary privilege access collaborator secret passcode pin mfa
  two-factor certificate firewall admin`.split(/\s+/),
);
export const PRIVATE: ReadonlySet<string> = new Set(
  "note memo journal diary draft reminder todo bookmark highlight favourite favorite wishlist thought memory scratchpad alarm".split(
    " ",
  ),
);
/** To make one is to publish it. */
export const PUBLISHED: ReadonlySet<string> = new Set("review comment post tweet story complaint webhook".split(" "));
/** To give one is to give money away. */
export const DISCOUNTS: ReadonlySet<string> = new Set(
  "discount coupon voucher promo promotion rebate giftcard".split(" "),
);
/** Arrangements of the user with another person: they bind both. */
export const ARRANGED: ReadonlySet<string> = new Set(
  "doctor agent dentist viewing interview consultation ride taxi cab pickup delivery courier".split(" "),
);
/** To apply for one reaches a person; to apply anything else changes something of the user's. */
export const APPLIED_FOR: ReadonlySet<string> = new Set(
  "job position vacancy internship course program programme scholarship grant loan mortgage visa membership".split(" "),
);
/** To open one is to read it. */
export const READ_BY_OPENING: ReadonlySet<string> = new Set(
  "url page webpage website site link browser file document".split(" "),
);
/** To make something so is to share it. */
export const VISIBLE: ReadonlySet<string> = new Set("public visible everyone anyone".split(" "));
/** Words for the result of a tool. */
export const DATA: ReadonlySet<string> = new Set(
  `data information info detail result list number count total status state statistic metric usage progress value level size position summary
  text name id identifier record row entry report answer content history json array object string set true metadata output average
  capacity availability occupancy score estimate percentage location whether which how what where who`.split(/\s+/),
);
/** To load or evaluate one is to run it. */
export const CODE: ReadonlySet<string> = new Set(
  "javascript script code function python shell command program module kernel plugin extension".split(" "),
);
