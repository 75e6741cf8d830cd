import type { Words } from "../en.ts";

export const page: Words["page"] = {
  title: "Eine Aktion wartet auf Antwort",
  answersAs: "Antwort als {who}",
  arguments: "Mit diesen Werten",
  noArguments: "Keine Werte.",
  read: "Ich habe {names} ganz angesehen.",
  enable: {
    session: "{tool} auch für dieses Gespräch freigeben",
    lasting: "{tool} auch für die Zukunft freigeben, bis auf Widerruf",
  },
  endorse:
    "Für diese Aufgabe auch andere Adressen, Namen und Zahlen aus diesem Ergebnis von {tool} erlauben, ohne neue Rückfrage",
  join: ", ",
  changes: "Was sich ändert",
  added: "neu",
  removed: "entfernt",
  asked: "Gefragt",
  until: "Antwort möglich bis",
  left: "in {time}",
  learnMore: "Mehr erfahren",
  reason: "Grund der Ablehnung (optional)",
  approve: "Genehmigen",
  deny: "Ablehnen",
  decided: {
    approved: { heading: "Genehmigt", text: "Diese eine Aktion darf ausgeführt werden, einmal." },
    denied: { heading: "Abgelehnt", text: "Die Aktion wird nicht ausgeführt. Der Assistent erfährt es." },
    expired: {
      heading: "Verfallen",
      text: "Niemand hat rechtzeitig geantwortet, also wird die Aktion nicht ausgeführt. Nichts wurde geändert.",
    },
    cancelled: {
      heading: "Abgebrochen",
      text: "Das Gespräch ging ohne diese Aktion weiter. Sie wird nicht ausgeführt.",
    },
  },
  plan: {
    goesOn: "Sie wird ausgeführt, wenn der Plan weitergeht.",
    cancelled: "Ihr Plan wurde abgebrochen. Sie wird nicht ausgeführt.",
  },
  goesOn: {
    inline: "Im Chat „weiter“ schreiben: Dann wird sie ausgeführt.",
    hold: "Der Chat geht von selbst weiter.",
    native: "Sie wird ausgeführt, wenn die App weitermacht.",
  },
  answeredAt: "Beantwortet",
  reasonGiven: "Grund",
  refusals: {
    link_invalid: {
      heading: "Dieser Link ist nicht gültig",
      text: "Er wurde verändert oder abgeschnitten, oder sein Schlüssel wird nicht mehr verwendet. Nichts wurde geändert.",
    },
    link_expired: {
      heading: "Dieser Link ist abgelaufen",
      text: "Die Zeit für eine Antwort ist vorbei. Dabei wurde nichts geändert.",
    },
    form_invalid: {
      heading: "Diese Antwort war nicht zu lesen",
      text: "Bitte den Link noch einmal öffnen und Genehmigen oder Ablehnen wählen. Nichts wurde geändert.",
    },
    form_elsewhere: {
      heading: "Diese Antwort kam von einer anderen Seite",
      text: "Nur die Seite des Links selbst darf antworten. Nichts wurde geändert.",
    },
    unavailable: {
      heading: "Gerade nicht erreichbar",
      text: "Bitte den Link gleich noch einmal öffnen und nachsehen, ob die Antwort angekommen ist.",
    },
  },
};
