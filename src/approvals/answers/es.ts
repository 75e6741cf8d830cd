/** Spanish. Accents may be left out. */
import type { Phrases } from "./phrases.ts";

export const es: Phrases = {
  yes: `sí, si, sip, sep, síp, sí sí, sí señor, claro, claro que sí, claro que si, por supuesto, por supuesto que sí, desde luego, cómo no, como no, vale, de acuerdo, está bien, esta bien, bien, muy bien, perfecto, genial, estupendo, bueno, correcto, exacto, eso es, así es,
    adelante, sigue adelante, siga adelante, dale, venga, vamos, hazlo, hágalo, hagalo, haz eso, házlo, hacedlo, hágase, procede, proceda, proceder, acepto, aceptar, aceptado, aceptada, apruebo, aprobar, aprobado, aprobada, apruébalo, lo apruebo, confirmo, confirmar, confirmado, confirmada, lo confirmo, confírmalo, permito, permitir, permitido, permítelo, lo permito, autorizo, autorizar, autorizado, lo autorizo,
    conforme, estoy de acuerdo, okey, oki, okis, sin problema, no hay problema, ningún problema, envíalo, envíelo, mándalo, aplícalo, aplicar, aplica los cambios, aplicar cambios, aplicar los cambios, ejecútalo, ejecutar, ejecuta, actívalo, activar, créalo, crear, guárdalo, guardar, me parece bien, puedes, puedes hacerlo, puede, puede hacerlo, sí puedes, sí hazlo, sí quiero, quiero, ya puedes, por qué no, con gusto`,
  no: `no, nop, nope, nel, no no, no señor, que no, para nada, de ninguna manera, de ningún modo, en absoluto, ni hablar, ni loco, jamás, nunca, claro que no, por supuesto que no, desde luego que no, no gracias, ahora no, todavía no, aún no, mejor no, no quiero, no lo hagas, no lo haga, no lo hagáis, no hagas eso, no hagas nada, no lo envíes, no lo envíe, no lo mandes, no lo apliques, no aplicar, no aplicar cambios,
    no procedas, no proceda, no proceder, no ejecutar, no lo ejecutes, cancela, cancelar, cancelado, cancélalo, cancele, cancelo, para, pare, detente, deténgase, detener, detenlo, alto, basta, rechazo, rechazar, rechazado, rechazada, lo rechazo, recházalo, deniego, denegar, denegado, denegada, niego, me niego, no acepto, no apruebo, no lo apruebo, no confirmo, no permito, no lo permito, no permitir, no autorizo, no lo autorizo, no estoy de acuerdo, no de acuerdo,
    déjalo, olvídalo, omitir, omite, sáltalo, no está bien, no vale, no puedes, no hace falta, no es necesario, incorrecto, está mal, negativo, no activar, no lo actives`,
  polite:
    "por favor, porfa, porfavor, porfis, favor, gracias, muchas gracias, mil gracias, muchísimas gracias, te lo agradezco, pues, entonces, ya, ahora, ahora mismo, esta vez, por ahora, por esta vez, hombre, tío, perdón, perdona, disculpa, ah, eh, eso, con ello",
  all: "todos, todas, a todo, a todos, a todas, todo ello, ambos, ambas, los dos, las dos, con todo",
  always:
    "siempre, permitir siempre, siempre permitir, permítelo siempre, siempre sí, sí siempre, aprobar siempre, no preguntes más, no preguntes otra vez, no vuelvas a preguntar, no me preguntes más, no vuelva a preguntar, sin preguntar",
  continue: "continúa, continua, continúe, continuar, sigue, siga, seguir, prosigue, siguiente",
  done: "hecho, ya hecho, está hecho, ya está hecho, listo, ya está, lo hice, ya lo hice, lo he hecho, ya lo he hecho, lo aprobé, ya lo aprobé, lo he aprobado, ya lo he aprobado, he aprobado, aprobé, ya aprobé, ya aprobado, ya está aprobado, está aprobado, lo confirmé, ya lo confirmé, lo he confirmado, ya lo he confirmado, lo autoricé, lo he autorizado, lo permití, lo rechacé, lo he rechazado, en la bandeja, en la bandeja de entrada, en el buzón, en la consola, con el enlace, por el enlace, en otro lugar, en otro sitio, allí",
  preview:
    "vista previa, previsualizar, previsualización, previsualiza, ver vista previa, ver la vista previa, muestra los cambios, mostrar cambios, muéstrame los cambios, ver cambios, ver los cambios, qué cambia, que cambia, qué cambiaría, diferencias",
  learnMore:
    "más, mas, más información, más info, saber más, quiero saber más, aprender más, ver más, detalles, más detalles, explica, explícame, explícalo, explicar, ayuda, qué es, qué es esto, que es esto, qué hace, que hace, cuéntame más, dime más, información",
  edit: "editar, edita, edito, modificar, modifica, cambiar, cambia",
  because: "porque, ya que, puesto que, razón, motivo, por",
  and: "y, e, pero, también, además",
  unclear: `no pares, no pare, no canceles, no cancele, no cancelar, no te detengas, no detener, no rechaces, no rechazar, no deniegues, no denegar, nunca pares, sí y no, si y no, sí pero no, quizás, quizá, tal vez, a lo mejor, puede ser, no sé, no se, no estoy seguro, no estoy segura, ni idea`,
};
