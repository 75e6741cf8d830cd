import type { Words } from "../en.ts";

export const page: Words["page"] = {
  title: "Una llamada espera respuesta",
  answersAs: "Responde {user} ({tenant})",
  arguments: "Con estos valores",
  noArguments: "No tiene valores.",
  read: "He mirado {names} por completo.",
  enable: {
    session: "Habilitar también {tool} para esta sesión",
    lasting: "Habilitar también {tool} de ahora en adelante, hasta que se retire",
  },
  endorse: "Usar también, sin preguntar, otros valores de este resultado de {tool} en el resto de esta tarea",
  join: ", ",
  changes: "Lo que cambia",
  added: "añadido",
  removed: "eliminado",
  asked: "Preguntado",
  until: "Se puede responder hasta",
  left: "quedan {time}",
  learnMore: "Más información",
  reason: "Motivo, si se rechaza (opcional)",
  approve: "Aprobar",
  deny: "Rechazar",
  decided: {
    approved: { heading: "Aprobada", text: "Esta única llamada puede ejecutarse, una vez." },
    denied: { heading: "Rechazada", text: "La llamada no se ejecuta. Se avisa al asistente." },
    expired: {
      heading: "Caducada",
      text: "Nadie respondió a tiempo, así que la llamada no se ejecuta. No se cambió nada.",
    },
    cancelled: { heading: "Cancelada", text: "La conversación siguió sin esta llamada. No se ejecuta." },
  },
  plan: {
    goesOn: "Se ejecutará cuando el plan continúe.",
    cancelled: "Su plan fue cancelado. No se ejecuta.",
  },
  goesOn: {
    inline: "Al escribir «continúa» en el chat, se ejecuta.",
    hold: "El chat sigue por sí solo.",
    native: "Se ejecutará cuando la aplicación continúe.",
  },
  answeredAt: "Respondida",
  reasonGiven: "Motivo",
  refusals: {
    link_invalid: {
      heading: "Este enlace no es válido",
      text: "Fue modificado o cortado, o es de una clave que ya no se usa. No se cambió nada.",
    },
    link_expired: {
      heading: "Este enlace ha caducado",
      text: "El tiempo para responder con él ha terminado. Con ello no se cambió nada.",
    },
    form_invalid: {
      heading: "Esa respuesta no se pudo leer",
      text: "Hay que abrir otra vez el enlace y elegir Aprobar o Rechazar. No se cambió nada.",
    },
    form_elsewhere: {
      heading: "Esa respuesta vino de otra página",
      text: "Solo la página del propio enlace puede responder. No se cambió nada.",
    },
    unavailable: {
      heading: "Ahora mismo no está disponible",
      text: "Conviene abrir el enlace de nuevo en un momento, para ver si la respuesta llegó.",
    },
  },
};
