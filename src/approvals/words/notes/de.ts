import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  elsewhere: {
    denied: "Das wurde woanders abgelehnt; es ist nichts geschehen.",
    expired: "Niemand hat rechtzeitig geantwortet; es ist nichts geschehen.",
    refused: "Toolgate: nicht ausgeführt, weil es woanders abgelehnt wurde: {tools}.",
  },
  condition: {
    asks: "⚠ Die Regeln verlangen hier eine Rückfrage.",
  },
};
