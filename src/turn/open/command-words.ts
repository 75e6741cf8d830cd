/** What `/toolgate help`, `status` and `reset` answer, by language. Pure. */
import type { Language } from "../../lib/text/languages.ts";

interface CommandWords {
  /** The list of commands, and how a question is answered; its places are the words that a question offers. */
  readonly help: readonly string[];
  readonly reset: string;
  /** What stands before each value of the status. */
  readonly status: {
    readonly session: string;
    readonly state: string;
    readonly intent: string;
    readonly mode: string;
    readonly role: string;
    readonly detected: string;
    readonly policy: string;
    readonly offered: string;
    readonly withheld: string;
    readonly waiting: string;
    readonly none: string;
    readonly nothing: string;
    readonly unnamed: string;
    readonly and: string;
  };
}

export const commandWords: Readonly<Record<Language, CommandWords>> = {
  en: {
    help: [
      "Toolgate: write one of these, alone in a message:",
      "- `/toolgate status` tells where you stand: intent, mode, and which tools are offered or withheld, and why",
      "- `/toolgate undo` takes back the last call that can be undone",
      "- `/toolgate reset` begins anew: no intent is held, and no call waits",
      "",
      "A question is answered by `{yes}` or `{no}` (`{no}: why`); with its code (`{yes} K7QF`) where several wait, or it says so.",
      "`{edit} {field}` changes a value first; `{always}` allows what comes later too; `{preview}` shows everything; `{learnMore}` tells",
      "about the tool; anything else cancels the call.",
    ],
    reset: "Toolgate: the session is reset. No intent is held, no call waits, and the mode is the default.",
    status: {
      session: "session",
      state: "state",
      intent: "intent",
      mode: "mode",
      role: "role",
      detected: "detected",
      policy: "policy",
      offered: "offered",
      withheld: "withheld",
      waiting: "waiting",
      none: "none",
      nothing: "nothing",
      unnamed: "unnamed",
      and: "and",
    },
  },
  de: {
    help: [
      "Toolgate: eines davon schreiben, allein in einer Nachricht:",
      "- `/toolgate status` sagt, wie es steht: Absicht, Modus, und welche Werkzeuge angeboten oder zurückgehalten werden, und warum",
      "- `/toolgate undo` nimmt den letzten Aufruf zurück, der sich zurücknehmen lässt",
      "- `/toolgate reset` beginnt von vorn: Keine Absicht gilt mehr, und kein Aufruf wartet",
      "",
      "Eine Frage wird mit `{yes}` oder `{no}` beantwortet (`{no}: warum`); mit ihrem Code (`{yes} K7QF`), wo mehrere warten oder die Frage es verlangt.",
      "`{edit} {field}` ändert vorher einen Wert; `{always}` erlaubt auch, was später kommt; `{preview}` zeigt alles; `{learnMore}` sagt mehr",
      "über das Werkzeug; alles andere bricht den Aufruf ab.",
    ],
    reset:
      "Toolgate: Die Sitzung beginnt von vorn. Keine Absicht gilt mehr, kein Aufruf wartet, und der Modus ist der übliche.",
    status: {
      session: "Sitzung",
      state: "Zustand",
      intent: "Absicht",
      mode: "Modus",
      role: "Rolle",
      detected: "erkannt",
      policy: "Richtlinie",
      offered: "angeboten",
      withheld: "zurückgehalten",
      waiting: "wartet",
      none: "keine",
      nothing: "nichts",
      unnamed: "ohne Namen",
      and: "und",
    },
  },
  es: {
    help: [
      "Toolgate: se escribe una de estas órdenes, sola en un mensaje:",
      "- `/toolgate status` dice cómo está todo: intención, modo, y qué herramientas se ofrecen o se retienen, y por qué",
      "- `/toolgate undo` deshace la última llamada que se puede deshacer",
      "- `/toolgate reset` empieza de nuevo: no rige ninguna intención y no espera ninguna llamada",
      "",
      "Una pregunta se responde con `{yes}` o `{no}` (`{no}: motivo`); con su código (`{yes} K7QF`) si esperan varias o si lo pide.",
      "`{edit} {field}` cambia antes un valor; `{always}` permite también lo que venga después; `{preview}` lo muestra todo; `{learnMore}` dice más",
      "de la herramienta; cualquier otra cosa cancela la llamada.",
    ],
    reset:
      "Toolgate: la sesión empieza de nuevo. No rige ninguna intención, no espera ninguna llamada y el modo es el normal.",
    status: {
      session: "sesión",
      state: "estado",
      intent: "intención",
      mode: "modo",
      role: "rol",
      detected: "detectado",
      policy: "política",
      offered: "ofrecidas",
      withheld: "retenidas",
      waiting: "en espera",
      none: "ninguna",
      nothing: "nada",
      unnamed: "sin nombre",
      and: "y",
    },
  },
  fr: {
    help: [
      "Toolgate : écrire une de ces commandes, seule dans un message :",
      "- `/toolgate status` dit où on en est : intention, mode, outils offerts ou retenus, et pourquoi",
      "- `/toolgate undo` annule le dernier appel qui peut l'être",
      "- `/toolgate reset` recommence : aucune intention n'est retenue, et aucun appel n'attend",
      "",
      "On répond à une question par `{yes}` ou `{no}` (`{no}: raison`) ; avec son code (`{yes} K7QF`) si plusieurs attendent, ou si elle le demande.",
      "`{edit} {field}` change d'abord une valeur ; `{always}` autorise aussi la suite ; `{preview}` montre tout ; `{learnMore}` en dit plus",
      "sur l'outil ; toute autre réponse annule l'appel.",
    ],
    reset:
      "Toolgate : la session recommence. Aucune intention n'est retenue, aucun appel n'attend, et le mode est celui par défaut.",
    status: {
      session: "session",
      state: "état",
      intent: "intention",
      mode: "mode",
      role: "rôle",
      detected: "détecté",
      policy: "politique",
      offered: "offerts",
      withheld: "retenus",
      waiting: "en attente",
      none: "aucun",
      nothing: "rien",
      unnamed: "sans nom",
      and: "et",
    },
  },
  zh: {
    help: [
      "Toolgate：请在一条消息里只写其中一个：",
      "- `/toolgate status` 说明当前状况：意图、模式，提供或保留了哪些工具以及原因",
      "- `/toolgate undo` 撤销最近一次可以撤销的调用",
      "- `/toolgate reset` 重新开始：不保留任何意图，也没有等待的调用",
      "",
      "用 `{yes}` 或 `{no}` 回答问题（`{no}: 原因`）；有多个在等待或问题要求时，请带上代码（`{yes} K7QF`）。",
      "`{edit} {field}` 先更改某个值；`{always}` 以后也允许；`{preview}` 显示全部；`{learnMore}` 了解该工具；",
      "写其他内容则取消该调用。",
    ],
    reset: "Toolgate：会话已重置。不保留任何意图，没有等待的调用，模式为默认。",
    status: {
      session: "会话",
      state: "状态",
      intent: "意图",
      mode: "模式",
      role: "角色",
      detected: "识别到",
      policy: "策略",
      offered: "提供",
      withheld: "保留",
      waiting: "等待",
      none: "无",
      nothing: "无",
      unnamed: "未命名",
      and: "以及",
    },
  },
  ja: {
    help: [
      "Toolgate：次のどれかひとつだけをメッセージに書いてください：",
      "- `/toolgate status` は現在の状況（意図、モード、使えるツールと使えないツール、その理由）を示します",
      "- `/toolgate undo` は取り消せる最後の呼び出しを取り消します",
      "- `/toolgate reset` は最初からやり直します。意図は残らず、待っている呼び出しもなくなります",
      "",
      "質問には `{yes}` か `{no}`（`{no}: 理由`）で答えます。複数が待っているときや求められたときはコードを付けます（`{yes} K7QF`）。",
      "`{edit} {field}` は先に値を変えます。`{always}` は今後も許可します。`{preview}` はすべてを表示します。`{learnMore}` はツールの説明です。",
      "ほかのことを書くと呼び出しは取り消されます。",
    ],
    reset: "Toolgate：セッションをリセットしました。意図はなく、待っている呼び出しもなく、モードは既定のものです。",
    status: {
      session: "セッション",
      state: "状態",
      intent: "意図",
      mode: "モード",
      role: "役割",
      detected: "検出",
      policy: "ポリシー",
      offered: "使えるツール",
      withheld: "使えないツール",
      waiting: "待機中",
      none: "なし",
      nothing: "なし",
      unnamed: "名前なし",
      and: "と",
    },
  },
  ko: {
    help: [
      "Toolgate: 메시지에 다음 중 하나만 써 주세요:",
      "- `/toolgate status`는 현재 상황(의도, 모드, 제공되거나 보류된 도구와 그 이유)을 알려 줍니다",
      "- `/toolgate undo`는 되돌릴 수 있는 마지막 호출을 되돌립니다",
      "- `/toolgate reset`은 처음부터 다시 시작합니다. 의도도, 기다리는 호출도 없습니다",
      "",
      "질문에는 `{yes}` 또는 `{no}`(`{no}: 이유`)로 답합니다. 여러 개가 기다리거나 질문이 요구하면 코드를 붙입니다(`{yes} K7QF`).",
      "`{edit} {field}`는 먼저 값을 바꿉니다. `{always}`은 이후에도 허용합니다. `{preview}`는 모두 보여 줍니다. `{learnMore}`는 도구를 설명합니다.",
      "다른 말을 쓰면 호출이 취소됩니다.",
    ],
    reset: "Toolgate: 세션을 초기화했습니다. 의도도, 기다리는 호출도 없으며, 모드는 기본값입니다.",
    status: {
      session: "세션",
      state: "상태",
      intent: "의도",
      mode: "모드",
      role: "역할",
      detected: "감지",
      policy: "정책",
      offered: "제공",
      withheld: "보류",
      waiting: "대기",
      none: "없음",
      nothing: "없음",
      unnamed: "이름 없음",
      and: "및",
    },
  },
};
