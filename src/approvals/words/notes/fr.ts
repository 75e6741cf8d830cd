import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  elsewhere: {
    denied: "Cela a été refusé ailleurs ; rien n'a été fait.",
    expired: "Personne n'a répondu à temps ; rien n'a été fait.",
    refused: "Toolgate : non exécuté, parce que refusé ailleurs : {tools}.",
  },
  condition: {
    asks: "⚠ Les règles demandent une confirmation dans ce cas.",
  },
};
