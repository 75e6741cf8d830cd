import type { Words } from "../en.ts";

export const notes: Words["notes"] = {
  prefix: "Toolgate: {text}",
  elsewhere: {
    denied: "Das wurde woanders abgelehnt; es ist nichts geschehen.",
    expired: "Niemand hat rechtzeitig geantwortet; es ist nichts geschehen.",
    refused: "Toolgate: nicht ausgeführt, weil es woanders abgelehnt wurde: {actions}.",
  },
  condition: {
    asks: "⚠ Die Regeln verlangen hier eine Rückfrage.",
    refuses: "Die Regeln erlauben {tool} mit diesen Angaben nicht: {words}",
    refusesAlone: "Die Regeln erlauben {tool} mit diesen Angaben nicht.",
  },
  undo: {
    title: "{tool}{values} rückgängig machen?",
    uses: "Dafür wird {tool} benutzt.",
    nothing: "Hier gibt es nichts rückgängig zu machen.",
    questionFirst:
      "Noch ist nichts rückgängig gemacht: erst die offene Frage beantworten, dann `/toolgate undo` noch einmal schreiben.",
    not: "{tool} ist nicht rückgängig gemacht: {why}",
    cannot: "{tool} lässt sich nicht rückgängig machen: {why}",
    pending: "Das Ergebnis ist noch nicht zurück.",
    failed: "Es ist fehlgeschlagen, also gibt es nichts rückgängig zu machen.",
    abandoned: "Das Ergebnis kam nie zurück, also ist nicht bekannt, ob es ausgeführt wurde.",
    unknown: "Was dafür nötig ist, ist nicht bekannt.",
  },
  limit: {
    own: "Für {tool} ist die Grenze erreicht ({max} in {window}); der Rest wurde nicht ausgeführt. In {time} geht es wieder.",
    shared:
      "Für {tool} und alle anderen Tools von {group} ist die Grenze erreicht ({max} in {window}); der Rest wurde nicht ausgeführt. In {time} geht es wieder.",
  },
  atMost: {
    turn: "Für {tool} ist die Grenze erreicht ({max} je Antwort); der Rest wurde nicht ausgeführt.",
    task: "Für {tool} ist die Grenze erreicht ({max} je Nachricht); der Rest wurde nicht ausgeführt.",
    session: "Für {tool} ist die Grenze erreicht ({max} je Gespräch); der Rest wurde nicht ausgeführt.",
  },
  lack: {
    role: "Mit der Rolle {role} ist {tool} nicht erlaubt, nur mit {roles}.",
    signIn: "Für {tool} ist eine Anmeldung nötig.",
    connection: "Um {tool} zu benutzen, bitte zuerst {connection} verbinden.",
    mode: "Der Modus {mode} erlaubt {tool} nicht.",
    intent:
      "{tool} ist gerade nicht möglich, weil die Nachricht als {intents} verstanden wurde. Bitte mit anderen Worten sagen, was geschehen soll.",
    after: "{tool} geht in diesem Gespräch erst, wenn {tools} gelungen ist.",
    neverAfter:
      "{tool} geht in diesem Gespräch nicht mehr, weil Ergebnisse von {tools} darin stehen; dafür bitte ein neues Gespräch beginnen.",
  },
  refused: "{tool} ist hier nicht erlaubt.",
  answers: {
    asked: "{tool} braucht zuerst eine Antwort.",
    denied: "{tool} wurde abgelehnt.",
    expired: "Zu {tool} hat niemand rechtzeitig geantwortet.",
    undone: "{tool} ist schon rückgängig gemacht.",
  },
  stopped: {
    unasked:
      "Toolgate hat angehalten: Der Assistent wollte mehrfach tun, wonach nicht gefragt war. Bitte in einer neuen Nachricht sagen, was geschehen soll.",
    forbidden: "Toolgate hat angehalten: Der Assistent wollte mehrfach tun, was jetzt nicht erlaubt ist.",
    steps:
      "Toolgate hat angehalten: Die Grenze von {max} Modellaufrufen ist erreicht. Für mehr bitte noch einmal schreiben.",
  },
  unmet: {
    preflight:
      "Toolgate hat nicht begonnen: {intent} braucht ein Tool aus {families}, und hier ist keines verfügbar.\nBitte mit einem solchen Tool noch einmal versuchen, oder etwas verlangen, das ohne es geht.",
    completion:
      "Toolgate hat die Aufgabe als gescheitert beendet: {intent} verlangt, dass ein Tool aus {families} gelingt, und keines ist gelungen.\nAuf das ohne es Gesagte ist kein Verlass. Bitte noch einmal versuchen, oder etwas verlangen, das ohne es geht.",
  },
};
