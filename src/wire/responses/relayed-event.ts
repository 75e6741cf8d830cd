/** Events of an upstream's response in one of ours: their bytes, unless the place or the id of their item is another. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { eventJson } from "../write-event.ts";

export interface RelayedPlace {
  /** Index of the item in our response. */
  readonly at: number;
  /** The id of the item, as it came and as it goes: two items of one response cannot have the same. */
  readonly from: string;
  readonly to: string;
}

export const idIn = (item: unknown): string => (isObject(item) && typeof item.id === "string" ? item.id : "");

interface RelayedEvent {
  readonly data: string;
  /** The event's item, under its id. */
  readonly item: JsonObject | undefined;
}

/** @param place what the event says of its place in the response. */
export function relayedData(
  data: string,
  event: JsonObject,
  place: Readonly<Record<"output_index" | "sequence_number", number>>,
  id: Pick<RelayedPlace, "from" | "to">,
): RelayedEvent {
  const item = isObject(event.item) ? event.item : undefined;
  const renames = id.from !== id.to;
  const isInPlace = event.output_index === place.output_index && event.sequence_number === place.sequence_number;
  if (isInPlace && !renames) return { data, item };
  const named = item && renames ? { ...item, id: id.to } : item;
  const moved = {
    ...event,
    ...place,
    ...(named ? { item: named } : {}),
    ...(renames && event.item_id !== undefined ? { item_id: id.to } : {}),
  };
  return { data: eventJson(moved), item: named };
}
