import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  prefix: "Toolgate: {text}",
  elsewhere: {
    denied: "Esto se rechazó en otro lugar; no se ha hecho nada.",
    expired: "Nadie respondió a tiempo; no se ha hecho nada.",
    refused: "Toolgate: no se ejecutó, porque se rechazó en otro lugar: {actions}.",
  },
  condition: {
    asks: "⚠ Las reglas piden preguntar en este caso.",
    refuses: "las reglas no permiten {tool} con estos valores: {words}",
    refusesAlone: "las reglas no permiten {tool} con estos valores.",
  },
  undo: {
    title: "¿Deshacer {tool}{values}?",
    uses: "Para esto se usa {tool}.",
    nothing: "Aquí no hay nada que deshacer.",
    questionFirst:
      "Aún no se ha deshecho nada: primero se responde a la pregunta abierta y luego se escribe otra vez `/toolgate undo`.",
    not: "{tool} no se ha deshecho: {why}",
    cannot: "{tool} no se puede deshacer: {why}",
    pending: "su resultado aún no ha llegado.",
    failed: "falló, así que no hay nada que deshacer.",
    abandoned: "su resultado nunca llegó, así que no se sabe si se ejecutó.",
    unknown: "no se conoce lo que haría falta.",
  },
  limit: {
    own: "{tool} ha llegado a su límite ({max} en {window}); lo demás no se ha hecho. Se podrá usar en {time}.",
    shared:
      "{tool}, con las demás herramientas de {group}, ha llegado a su límite ({max} en {window}); lo demás no se ha hecho. Se podrá usar en {time}.",
  },
  atMost: {
    turn: "{tool} ha llegado a su límite ({max} por respuesta); lo demás no se ha hecho.",
    task: "{tool} ha llegado a su límite ({max} por mensaje); lo demás no se ha hecho.",
    session: "{tool} ha llegado a su límite ({max} por conversación); lo demás no se ha hecho.",
  },
  lack: {
    role: "El rol {role} no puede usar {tool}; solo {roles}.",
    signIn: "Para usar {tool} hay que iniciar sesión.",
    connection: "Conectar {connection} para usar {tool}.",
    mode: "El modo {mode} no permite {tool}.",
    intent:
      "{tool} no está disponible ahora, porque el mensaje se entendió como {intents}. Se puede decir con otras palabras qué hacer.",
    after: "{tool} solo se puede usar en esta conversación después de {tools}.",
    neverAfter:
      "{tool} ya no se puede usar en esta conversación, porque contiene resultados de {tools}; para esto hace falta una conversación nueva.",
  },
  refused: "{tool} no está permitido aquí.",
  answers: {
    asked: "{tool} necesita antes una respuesta.",
    denied: "{tool} se rechazó.",
    expired: "nadie respondió a tiempo sobre {tool}.",
    undone: "{tool} ya está deshecho.",
  },
  stopped: {
    unasked:
      "Toolgate se ha detenido: el asistente intentó varias veces cosas que no se pidieron. En un mensaje nuevo se puede decir qué hacer.",
    forbidden: "Toolgate se ha detenido: el asistente intentó varias veces lo que ahora no está permitido.",
    steps:
      "Toolgate se ha detenido: se alcanzó el límite de {max} llamadas al modelo en un turno. Para seguir, basta con escribir otra vez.",
  },
  unmet: {
    preflight:
      "Toolgate no ha empezado: {intent} necesita una herramienta de {families}, y aquí no hay ninguna disponible.\nSe puede intentar de nuevo con una, o pedir algo que no la necesite.",
    completion:
      "Toolgate ha terminado la tarea como fallida: {intent} requiere que una herramienta de {families} funcione, y ninguna lo hizo.\nNo hay que fiarse de lo dicho sin ella. Se puede intentar de nuevo, o pedir algo que no la necesite.",
  },
};
