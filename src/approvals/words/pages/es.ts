import type { Words } from "../en.ts";

export const page: Words["page"] = {
  title: "Una acción espera respuesta",
  answersAs: "Responde {who}",
  arguments: "Con estos valores",
  noArguments: "Sin valores.",
  read: "He mirado {names} por completo.",
  enable: {
    session: "Habilitar también {tool} para esta conversación",
    lasting: "Habilitar también {tool} de ahora en adelante, hasta que se retire",
  },
  endorse:
    "Aceptar también otras direcciones, nombres y números de este resultado de {tool} en esta tarea, sin volver a preguntar",
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
    approved: { heading: "Aprobada", text: "Esta única acción puede hacerse, una vez." },
    denied: { heading: "Rechazada", text: "La acción no se hace. Se avisa al asistente." },
    expired: {
      heading: "Caducada",
      text: "Nadie respondió a tiempo, así que la acción no se hace. No se cambió nada.",
    },
    cancelled: { heading: "Cancelada", text: "La conversación siguió sin esta acción. No se hace." },
  },
  plan: {
    goesOn: "Se hará cuando el plan continúe.",
    cancelled: "Su plan fue cancelado. No se hace.",
  },
  goesOn: {
    inline: "Al escribir «continúa» en el chat, se hace.",
    hold: "El chat sigue por sí solo.",
    native: "Se hará cuando la aplicación continúe.",
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
