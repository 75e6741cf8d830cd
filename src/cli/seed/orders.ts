/** The orders of the seeded desk. Names and numbers are drawn, so that no two conversations are alike. */
import type { Draw } from "./draw.ts";
import { call } from "./story.ts";

export interface Order {
  readonly id: string;
  readonly customer: string;
  readonly email: string;
  readonly total: number;
  readonly status: string;
  readonly item: string;
}

const people = [
  "Ines Albrecht",
  "Tom Baker",
  "Mei Chen",
  "Luis Duarte",
  "Sara Ek",
  "Omar Farouk",
  "Greta Holm",
  "Yuki Ito",
];
const items = ["a desk lamp", "two chairs", "a wool rug", "a bookshelf", "a coffee grinder", "a set of plates"];

export function drawOrder({ pick, whole }: Draw): Order {
  const customer = pick(people);
  return {
    id: `A-${whole(1000, 9999)}`,
    customer,
    email: `${customer.toLowerCase().replace(" ", ".")}@example.com`,
    total: whole(18, 900) + 0.5,
    status: pick(["shipped", "packed", "delivered", "waiting for payment"]),
    item: pick(items),
  };
}

export const readOrder = (order: Order) => call("read_order", { id: order.id }, order);
