import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  prefix: "Toolgate : {text}",
  elsewhere: {
    denied: "Cela a été refusé ailleurs ; rien n'a été fait.",
    expired: "Personne n'a répondu à temps ; rien n'a été fait.",
    refused: "Toolgate : non exécuté, parce que refusé ailleurs : {actions}.",
  },
  condition: {
    asks: "⚠ Les règles demandent une confirmation dans ce cas.",
    refuses: "les règles n'autorisent pas {tool} avec ces valeurs : {words}",
    refusesAlone: "les règles n'autorisent pas {tool} avec ces valeurs.",
  },
  undo: {
    title: "Défaire {tool}{values} ?",
    uses: "Cela utilise {tool}.",
    nothing: "Il n'y a rien à défaire ici.",
    questionFirst:
      "Rien n'est encore défait : répondre d'abord à la question ouverte, puis écrire de nouveau `/toolgate undo`.",
    not: "{tool} n'est pas défait : {why}",
    cannot: "{tool} ne peut pas être défait : {why}",
    pending: "son résultat n'est pas encore arrivé.",
    failed: "il a échoué, donc il n'y a rien à défaire.",
    abandoned: "son résultat n'est jamais arrivé, donc on ne sait pas s'il a été exécuté.",
    unknown: "ce qu'il faudrait n'est pas connu.",
  },
  limit: {
    own: "{tool} a atteint sa limite ({max} en {window}) ; le reste n'a pas été fait. De nouveau possible dans {time}.",
    shared:
      "{tool}, avec les autres outils de {group}, a atteint sa limite ({max} en {window}) ; le reste n'a pas été fait. De nouveau possible dans {time}.",
  },
  atMost: {
    turn: "{tool} a atteint sa limite ({max} par réponse) ; le reste n'a pas été fait.",
    task: "{tool} a atteint sa limite ({max} par message) ; le reste n'a pas été fait.",
    session: "{tool} a atteint sa limite ({max} par conversation) ; le reste n'a pas été fait.",
  },
  lack: {
    role: "Le rôle {role} ne peut pas utiliser {tool} ; seulement {roles}.",
    signIn: "Il faut être connecté pour utiliser {tool}.",
    connection: "Connecter {connection} pour utiliser {tool}.",
    mode: "Le mode {mode} ne permet pas {tool}.",
    intent:
      "{tool} n'est pas disponible ici, parce que le message a été compris comme {intents}. Dire autrement ce qu'il faut faire.",
    after: "{tool} ne peut servir dans cette conversation qu'après {tools}.",
    neverAfter:
      "{tool} ne peut plus servir dans cette conversation, car elle contient des résultats de {tools} ; il faut une nouvelle conversation.",
  },
  refused: "{tool} n'est pas autorisé ici.",
  answers: {
    asked: "{tool} attend d'abord une réponse.",
    denied: "{tool} a été refusé.",
    expired: "personne n'a répondu à temps pour {tool}.",
    undone: "{tool} est déjà défait.",
  },
  stopped: {
    unasked:
      "Toolgate s'est arrêté : l'assistant a tenté plusieurs fois ce qui n'était pas demandé. Dire dans un nouveau message ce qu'il faut faire.",
    forbidden: "Toolgate s'est arrêté : l'assistant a tenté plusieurs fois ce qui n'est pas permis maintenant.",
    steps:
      "Toolgate s'est arrêté : la limite de {max} appels du modèle par tour est atteinte. Écrire de nouveau pour continuer.",
  },
  unmet: {
    preflight:
      "Toolgate n'a pas commencé : {intent} demande un outil de {families}, et aucun n'est disponible ici.\nRéessayer avec un tel outil, ou demander ce qui est possible sans lui.",
    completion:
      "Toolgate a terminé la tâche en échec : {intent} exige qu'un outil de {families} réussisse, et aucun n'a réussi.\nNe pas se fier à ce qui a été dit sans lui. Réessayer, ou demander ce qui est possible sans lui.",
  },
};
