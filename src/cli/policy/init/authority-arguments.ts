/** The arguments of a tool that say to whom, where, which or how much, by their names alone. Pure. */
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { Effect } from "../../../policy/infer/effects.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";

const DESTINATIONS = new Set(
  `to recipient cc bcc email address mail phone number url uri link host domain endpoint webhook iban account channel user username member
  participant attendee invitee guest customer payee beneficiary contact wallet destination target friend group people person repo repository password
  key token remote empfaenger destinatario`.split(/\s+/),
);
const OBJECTS = new Set(
  `id ids path file filename name product item order order_id event message document folder hotel restaurant flight room company car branch
  ticket table database playlist slug sku code city reference version`.split(/\s+/),
);

export function authorityArguments({ parameters }: ToolWords, effects: ReadonlySet<Effect>): readonly string[] {
  const objectsCount = ["destroy", "pay", "access", "execute"].some((effect) => effects.has(effect as Effect));
  return argumentsOf(parameters).flatMap(({ name }) => {
    const words = nameWords(name).map(singular);
    const last = words.at(-1) ?? "";
    const counts = DESTINATIONS.has(last) || (OBJECTS.has(last) && (objectsCount || last === "id"));
    return counts ? [name] : [];
  });
}
