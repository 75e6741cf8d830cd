import type { Words } from "../en.ts";

export const page: Words["page"] = {
  title: "Un appel attend une réponse",
  answersAs: "Réponse de {user} ({tenant})",
  arguments: "Avec ces valeurs",
  noArguments: "Il n'a pas de valeurs.",
  read: "J'ai regardé {names} en entier.",
  enable: {
    session: "Activer aussi {tool} pour cette session",
    lasting: "Activer aussi {tool} pour la suite, jusqu'à son retrait",
  },
  endorse: "Utiliser aussi, sans demander, d'autres valeurs de ce résultat de {tool} pour le reste de cette tâche",
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
    approved: { heading: "Approuvé", text: "Ce seul appel peut être exécuté, une fois." },
    denied: { heading: "Refusé", text: "L'appel n'est pas exécuté. L'assistant en est informé." },
    expired: {
      heading: "Expiré",
      text: "Personne n'a répondu à temps, donc l'appel n'est pas exécuté. Rien n'a été changé.",
    },
    cancelled: { heading: "Annulé", text: "La conversation a continué sans cet appel. Il n'est pas exécuté." },
  },
  plan: {
    goesOn: "Il est exécuté quand le plan continue.",
    cancelled: "Son plan a été annulé. Il n'est pas exécuté.",
  },
  goesOn: {
    inline: "Écrire « continue » dans le chat : alors il est exécuté.",
    hold: "Le chat continue de lui-même.",
    native: "Il est exécuté quand l'application continue.",
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
