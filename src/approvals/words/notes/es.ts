import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  elsewhere: {
    denied: "Esto se rechazó en otro lugar; no se ha hecho nada.",
    expired: "Nadie respondió a tiempo; no se ha hecho nada.",
    refused: "Toolgate: no se ejecutó, porque se rechazó en otro lugar: {tools}.",
  },
  condition: {
    asks: "⚠ Las reglas piden preguntar en este caso.",
  },
};
