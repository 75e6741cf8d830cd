import type { Words } from "../en.ts";

export const page: Words["page"] = {
  title: "Une action attend une réponse",
  answersAs: "Réponse de {who}",
  arguments: "Avec ces valeurs",
  noArguments: "Aucune valeur.",
  read: "J'ai regardé {names} en entier.",
  enable: {
    session: "Activer aussi {tool} pour cette conversation",
    lasting: "Activer aussi {tool} pour la suite, jusqu'à son retrait",
  },
  endorse:
    "Accepter aussi d'autres adresses, noms et nombres de ce résultat de {tool} pour cette tâche, sans redemander",
  join: ", ",
  changes: "Ce qui change",
  added: "ajouté",
  removed: "supprimé",
  asked: "Demandé",
  until: "Réponse possible avant le",
  left: "encore {time}",
  learnMore: "En savoir plus",
  reason: "Motif, en cas de refus (facultatif)",
  approve: "Approuver",
  deny: "Refuser",
  decided: {
    approved: { heading: "Approuvée", text: "Cette seule action peut être exécutée, une fois." },
    denied: { heading: "Refusée", text: "L'action n'est pas exécutée. L'assistant en est informé." },
    expired: {
      heading: "Expirée",
      text: "Personne n'a répondu à temps, donc l'action n'est pas exécutée. Rien n'a été changé.",
    },
    cancelled: { heading: "Annulée", text: "La conversation a continué sans cette action. Elle n'est pas exécutée." },
  },
  plan: {
    goesOn: "Elle est exécutée quand le plan continue.",
    cancelled: "Son plan a été annulé. Elle n'est pas exécutée.",
  },
  goesOn: {
    inline: "Écrire « continue » dans le chat : alors elle est exécutée.",
    hold: "Le chat continue de lui-même.",
    native: "Elle est exécutée quand l'application continue.",
  },
  answeredAt: "Répondu",
  reasonGiven: "Motif",
  refusals: {
    link_invalid: {
      heading: "Ce lien n'est pas valide",
      text: "Il a été modifié ou coupé, ou sa clé n'est plus utilisée. Rien n'a été changé.",
    },
    link_expired: {
      heading: "Ce lien a expiré",
      text: "Le délai pour répondre est passé. Rien n'a été changé à l'instant.",
    },
    form_invalid: {
      heading: "Cette réponse n'a pas pu être lue",
      text: "Il faut rouvrir le lien et choisir Approuver ou Refuser. Rien n'a été changé.",
    },
    form_elsewhere: {
      heading: "Cette réponse venait d'une autre page",
      text: "Seule la page du lien peut répondre. Rien n'a été changé.",
    },
    unavailable: {
      heading: "Indisponible pour le moment",
      text: "Il faut rouvrir le lien dans un instant, pour voir si la réponse est arrivée.",
    },
  },
};
