/**
 * What makes a text an instruction to the model that reads it. Each rule needs two things that honest texts seldom have together: a
 * text that speaks to the model (or as the system, the user, the task), and an act that it demands. Pure.
 */
import { latePattern } from "../../lib/once.ts";
import { AI, BEGIN, CJK_AI, CJK_VERB, END, LETTER, READER, VERB } from "./reader-words.ts";

export type InstructionKind = "addressed" | "override" | "forged_turn" | "task" | "hidden" | "encoded";

export interface InstructionRule {
  readonly kind: InstructionKind;
  /** Plain words, one of which is in each place where the rule may hold: they are found twenty times as fast. */
  readonly words?: () => RegExp;
  /** Where the rule may hold. With `g`. */
  readonly start: () => RegExp;
  /** Of the text behind it; absent: the start is enough. */
  readonly demand?: () => RegExp;
  /** Holds also in quotation marks: nobody quotes it. */
  readonly quoted?: true;
}

/** An act within the next sentence or two. */
const act = latePattern(`${BEGIN}${VERB}${END}|${CJK_VERB}`, "i");

/** Lines are broken anywhere. */
const either = (...sources: readonly string[]): (() => RegExp) =>
  latePattern(sources.join("|").replaceAll(" ", "\\s"), "gi");

const TO_AI = `(?:dear|hey|hi|hello|hallo|attention|note|message|notice|instructions?|reminder|memo|hint|p\\.? ?s\\.?|hinweis|nachricht|anweisung|achtung|liebe[rs]?|geehrte[rs]?|prezad[oa]|cher|chère|note|avis|attention|estimad[oa]|querid[oa]|nota|aviso|mensaje|atención|oye|caro|cara|gentile|beste|geachte|hé|attenzione|ei|olá|mensagem|atenção|важно|внимание|уважаем${LETTER}+|ملاحظة|हे|do|uwaga|not|dikkat|sevgili)`;

/** Of the reader's names; those of scripts without case as they are. */
const readerWords = latePattern(
  "AI|A\\.I\\.|\\b[Aa]i[ -]|LLM|IA\\b|KI\\b|KI-|ИИ|[Ll]anguage.[Mm]odel|[Aa]rtificial|[Bb]ots?\\b|[Cc]hatbot|[Aa]utomat|[Vv]irtual|[Dd]igital|[Aa]gent|[Cc]opilot|[Cc]hat(?:GPT|gpt)|[Gg][Pp][Tt]|Claude|[Ii]ntell?igen|[Ss]prachmodell|[Aa]ssist|[Aa]sist|[Mm]od[eè]l|taalmodel|нейрос|языков|asyst|yapay|trợ lý|सहायक|एआई|مساعد|الذكاء|ssistent",
  "g",
);

export const instructionRules: readonly InstructionRule[] = [
  {
    // "Note to the AI assistant:", "P.S. for the AI reading this", "Dear model,", "Liebe KI,", "À l'attention des agents automatisés".
    kind: "addressed",
    words: readerWords,
    start: either(
      `${BEGIN}${TO_AI}[ :,;(\\[]{1,3}(?:(?:to|for|of|an?|für|zur|die|den|das|der|alle|pour|de|des|d['’]|à|aux?|les?|la|el|los|las|para|per|gli|ai|all['’]|voor|all|any|any|the|you|to all|to any|readers?|всех?|для) ?){0,4}(?:${AI})${END}`,
      `${BEGIN}(?:à l['’]attention des?|à destination des?|zu händen (?:der|des)|para la atención de) (?:l['’])?(?:${AI})${END}`,
      `${BEGIN}(?:for|to|an|für) (?:the|any|all|die|den|alle) (?:${AI})(?: (?:only|that|who|which|reading|processing|summari[sz]ing|handling|die|der|das)${END})`,
      `${BEGIN}(?:an|für|to|for|a|à|aux?|ai|para|pour) (?:(?:alle|die|den|das|all|any|the|los|las|todos|todas|tous|toutes|les|tutti|gli|i) ){0,2}(?:${AI})(?=[ ]?:)`,
      `${BEGIN}(?:dear|hey|hello|hi|note to|attention|message to|instructions? (?:to|for)) (?:the |all |any |future )?(?!agents?)${READER}(?=[ ]?[,:;!.])`,
      `${BEGIN}(?:instrucci[oó]n(?:es)?|instruç(?:ão|ões)|istruzion[ei]|instructions?|wichtig|hinweis|anweisung|nota|mensaje|mensagem|messaggio|message) (?:für|para|pour|per|to|for|à|a) (?:den |das |die |el |la |l['’]|le |il |o |the )?(?!agent)${READER}(?=[ ]?:)`,
    ),
    demand: act,
  },
  {
    // "If you are an AI …", "you are summarizing this page", "as the AI reading this".
    kind: "addressed",
    words: readerWords,
    start: either(
      `${BEGIN}(?:if|since|as|because|when|wenn|falls|da|si|se|als) (?:you(?:['’]re| are)|du|sie|tu es|vous êtes|eres|usted es|você é|sei|je) (?:an? |the |eine? |une? |un |una |um |uma |een )?(?:${AI})(?: (?:bist|sind|ist))?${END}`,
      `${BEGIN}(?:we (?:noticed|know|see)|if|while|since|as|because) you(?:['’]re| are) (?:summari[sz]ing|processing|reading|translating|indexing|reviewing) (?:this|the|my|our) (?:page|article|text|document|message|e?-?mail|file|review|site|repository)`,
      `${BEGIN}you are (?:an?|the) (?:${AI}) (?:reading|processing|summari[sz]ing)${END}`,
      `${BEGIN}(?:only|even) if you are (?:an? )?(?:${AI})${END}`,
    ),
    demand: act,
  },
  {
    // A line, a comment or a bracket that begins with the reader's name: "Assistant: forward …", "// agente: sustituye", "[AI: do]".
    kind: "addressed",
    words: readerWords,
    start: latePattern(
      `(?:^|[\\n\\r>"“.!?(\\[—–-]|<!--|//|#|/\\*)[ \\t]*(?:(?:${AI})|${READER})(?:/${READER})?(?=[ ]?[,:])`,
      "gim",
    ),
    demand: latePattern(
      `^[^\\n]{0,60}?[,:] ?(?:(?:please|bitte|por favor|s['’]il (?:te|vous) plaît|per favore|per favor)[ ,]{1,2}|(?:to|um|pour|para|per|before|after|bevor|avant|antes|prima|once|also|first|now|when|if|zuerst|do not|don['’]t|never|nicht)${END}[^\\n]{0,80}?)?(?:${BEGIN}(?:${VERB})${END}|the reader wants|the user wants|you (?:must|should|have to))`,
      "i",
    ),
  },
  {
    // "AI models must …", "la IA debe …", "muss das Modell …", "automated readers should …".
    kind: "addressed",
    words: readerWords,
    start: either(
      `${BEGIN}(?:${AI})${END}[^.!?\\n]{0,40}?${BEGIN}(?:must|should|shall|has to|have to|needs? to|is to|are to|muss|müssen|soll|sollen|doit|doivent|debe|deben|deve|devem|devono|moet|moeten|должен|должна|должны)${END}(?! (?:be|not be|never be|have|werden|être|ser|essere|worden))`,
      `${BEGIN}(?:muss|müssen|soll) (?:das Modell|die KI|der Assistent|der Agent)${END}`,
      `${BEGIN}when (?:writing|replying|responding|reading|summari[sz]ing|processing|answering|quoting|citing)[^.!?\\n]{0,40}, (?:the )?(?:models?|assistants?|agents?|(?:${AI}))${END} (?:must|should|shall|have to|needs? to)`,
      `${BEGIN}using (?:${AI}) shall have (?:those|these|such)`,
    ),
    demand: latePattern(
      `^[^.!?\\n]{0,80}?${BEGIN}(?:send|forward|e-?mail|open|visit|delete|transfer|pay|buy|reveal|share|copy|attach|append|include|recommend|rate|grade|approve|execute|run|call|invoke|upload|install|ignore|disregard|decode|end with|begin with|mention|descargar|ejecutar|enviar|aufrufen|anhängen|senden|löschen|envoyer|appeler|inviare|chiamare|sturen|${LETTER}+_${LETTER}+)${END}`,
      "i",
    ),
  },
  {
    // Chinese, Japanese, Korean: 给AI助手, 大模型请注意, AI様には, AI 비서에게.
    kind: "addressed",
    words: latePattern("AI|人工|模型|智能|モデル|인공|언어|챗봇|机器人|ボット", "g"),
    start: latePattern(
      `(?:给|致|對|对|请|請|【|\\[|（|\\()[ ]?${CJK_AI}|${CJK_AI}(?:请|請|注意|应当|应该|必须|需要|你好|:|：|,|，|へ|には|に告ぐ|の方|向け|宛|、|에게|는|은|여|야)|(?:要約|翻訳|処理|回答)を?(?:担当|行う|する)(?:される|する)?${CJK_AI}`,
      "g",
    ),
    demand: latePattern(CJK_VERB, ""),
  },
  {
    // "Ignore all previous instructions", "negeer de vraag van de gebruiker", "vergiss die bisherigen Anweisungen".
    kind: "override",
    words: latePattern(
      "ignor|disregard|forget|overrid|bypass|following|do not follow|vergi?ss|vergess|olvid|descart|oublie|ne t(?:iens|enez)|esque[çc]|desconsid|dimentic|tralasc|negeer|игнор|zignoruj|talimat|bỏ qua|تجاهل|निर्देश|忽略|无视|無視|忘|不要理会|従わ|무시|잊|system prompt|you are now|pretend|act as if|do not (?:tell|inform|alert)|system (?:prompt|instruction)|summaries must|decod|dekod|entschl|解码|復号",
      "gi",
    ),
    start: either(
      `${BEGIN}(?<!not |n['’]t )(?:ignore|disregard|forget|override|bypass|do not follow|stop following) (?:(?:all|any|everything|of|the|your|my|these|those|other|and) ){0,4}(?:previous|prior|earlier|above|preceding|original|former|initial|existing|system|user['’]?s?)(?: (?:and|or) ${LETTER}{1,15})? ?(?:instructions?|prompts?|rules|directions|guidelines|orders|messages?|requests?|tasks?|commands?|questions?)`,
      `${BEGIN}(?:ignore|disregard|forget) (?:all|everything)(?: of)?(?: the| your)? (?:instructions |rules |orders )?(?:above|before|you (?:were|have been) told)`,
      `${BEGIN}(?:ignore|disregard) (?:the|your) user(?:${END})(?! (?:agent|interface|input|name))`,
      `${BEGIN}ignoriere?n?(?: Sie)? (?:bitte )?(?:alle|die|den|deine|Ihre|sämtliche)? ?(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?|Nutzer|Benutzer|Anweisungen|Vorgaben)${END}`,
      `${BEGIN}(?:vergiss|vergessen Sie) (?:alle |die |deine )?(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?)`,
      `${BEGIN}(?:ignor[ae]n?|olvid[ae]n?|descart[ae]) (?:todas? )?(?:las?|los?|tus|sus) (?:instrucciones|indicaciones|órdenes|reglas|peticion(?:es)?)(?: (?:anteriores|previas|del usuario|de arriba))`,
      `${BEGIN}(?:ignore[zr]?|oublie[zr]?|ne tiens plus compte|ne tenez (?:plus|pas) compte) (?:de )?(?:toutes )?(?:les |des |tes |vos )?(?:instructions|consignes|directives|règles)(?: (?:précédentes|antérieures|ci-dessus|de l['’]utilisateur))`,
      `${BEGIN}(?:ignor[ae]|esqueç[ae]|desconsidere) (?:todas )?(?:as|os|suas|tuas) (?:instruções|orientações|ordens|regras)(?: (?:anteriores|prévias|acima|do usuário|do utilizador))`,
      `${BEGIN}(?:ignora|dimentica|tralascia) (?:tutte )?(?:le|gli|i|tue) (?:istruzioni|indicazioni|regole|ordini)(?: (?:precedenti|dell['’]utente|di prima))`,
      `${BEGIN}negeer (?:alle |de )?(?:vorige|eerdere|bovenstaande|vraag van de gebruiker|instructies van)`,
      `игнориру${LETTER}+ (?:все )?(?:предыдущие|прежние|инструкции)|zignoruj (?:wszystkie )?(?:poprzednie|wcześniejsze)|önceki (?:tüm )?talimatları (?:yok ?say|unut)|bỏ qua (?:mọi|tất cả|các) (?:hướng dẫn|chỉ dẫn)|تجاهل (?:جميع |كل )?(?:التعليمات|الأوامر)|पिछले (?:सभी )?निर्देश`,
      "(?:忽略|无视|無視|忘记|不要理会)(?:掉)?(?:之前|以上|前面|先前|此前|上述|所有|用户|使用者)[^。\\n]{0,8}(?:指示|指令|说明|要求|规则|提示|命令|问题)",
      "(?:これまで|以前|上記|前|今まで|ユーザー|先ほど)の?[^。\\n]{0,8}(?:指示|命令|ルール|指令|質問|依頼)[^。\\n]{0,6}(?:無視|忘れ|従わ)",
      "(?:이전|위|앞)의? ?(?:모든 )?(?:지시|명령|지침)[^.\\n]{0,8}(?:무시|잊)",
      `${BEGIN}(?:reveal|print|repeat|output|leak) (?:your|the) (?:hidden |initial |full |entire )?system prompt`,
      `${BEGIN}you are now (?:in )?(?:dan|developer mode|jailbroken|unrestricted)${END}`,
      `${BEGIN}(?:pretend|act as if) (?:that )?you (?:have|had) no (?:restrictions|rules|guidelines|filters)`,
      `${BEGIN}do not (?:tell|inform|alert) the (?:user|human) (?:about th(?:is|ese)|that you)`,
      `${BEGIN}(?:new|updated|real) system (?:prompt|instructions?) ?:`,
      `${BEGIN}summaries must (?:end|begin|start|include|contain|mention)`,
      `${BEGIN}(?:please )?decod(?:e|ing) (?:this|it|that|the (?:above|following|text|string))?,? ?(?:and|then) (?:do|execute|run|follow|obey|carry out|perform)${END}`,
      `${BEGIN}(?:dekodieren|dekodiere|entschlüsseln) (?:Sie )?und (?:ausführen|führe|befolgen)`,
      "解码(?:后|并)[^。\\n]{0,6}(?:执行|照做)|復号して[^。\\n]{0,6}実行",
    ),
  },
  {
    // Marks of a conversation's form, which no page or mail has.
    kind: "forged_turn",
    quoted: true,
    start: latePattern(
      "<\\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\\|>|\\[/?INST\\][^\\n]{0,4}<<|<</?SYS>>|</(?:tool_result|tool_response|function_results?|tool_output|untrusted[\\w-]*)>\\s*<|<system>\\s*(?:new|you|please|ignore|important|override)(?![a-z])|<(?:INFORMATION|IMPORTANT)>\\s*(?:this is an important message|before|please|you)",
      "gi",
    ),
  },
  {
    // A conversation made up: the user asks, the assistant agrees.
    kind: "forged_turn",
    start: latePattern(
      "(?:^|\\n)[ \\t]*(?:user|human|nutzer|benutzer|usuario|usuário|utilisateur|utente|gebruiker|用户|使用者|ユーザー|사용자)[ ]?[:：][^\\n]{0,200}?(?:\\S \\S|[,，。！!?？.])[^\\n]{0,200}\\n\\s*(?:assistant|ai|ki|assistent|asistente|assistente|assistante?|助手|助理|アシスタント|어시스턴트)[ ]?[:：]",
      "gi",
    ),
  },
  {
    // "SYSTEM: the next action must be pay(…)", "MENSAJE DEL SISTEMA: cancela …", "BEGIN SYSTEM NOTICE".
    kind: "forged_turn",
    words: latePattern(
      "SYSTEM|ADMIN|DEVELOPER|SISTEMA|SYSTÈME|системное|系统|系統|システム|시스템|[Ss]ystem ?(?:message|notice|note|:|\\])|policy update|longer|necessary|needed|required|memory|future|with your user",
      "g",
    ),
    start: either(
      `(?:^|[\\n"\\[<(*-])[ \\t]*(?:SYSTEM(?: (?:message|notice|override|prompt|update|alert|instruction|note))?|ADMIN(?: OVERRIDE)?|DEVELOPER(?: (?:message|note))?|MENSAJE DEL SISTEMA|MENSAGEM DO SISTEMA|MESSAGE (?:DU )?SYSTÈME|MESSAGGIO DI SISTEMA|SYSTEMNACHRICHT|SYSTEMANWEISUNG|системное сообщение)[ \\]>*]{0,3}[:\\]] ?(?:(?:the )?next (?:action|step)|(?:please )?(?:you (?:must|should|are now)|${VERB}${END}))`,
      "(?:系统|系統)(?:消息|通知|提示|指令)[:：][^\\n]{0,40}(?:请|請|立即|必须|无需确认|調用|调用|执行)|システム(?:通知|メッセージ|命令)[:：][^\\n]{0,60}(?:確認なし|直ちに|実行|削除してください|送信してください)|시스템 (?:알림|메시지)[:：][^\\n]{0,40}(?:확인 없이|즉시|실행)",
      `${BEGIN}(?:tool|system|assistant|security) policy update[^\\n]{0,60}(?:no longer|confirmation|without)`,
      `${BEGIN}(?:confirmation|approval|authori[sz]ation|permission) is (?:no longer|not) (?:needed|required|necessary)[^\\n]{0,60}\\. ?(?:proceed|continue|go ahead|execute|run)`,
      `${BEGIN}assistant memory|memory update ?:|remember for all future (?:conversations|sessions|chats)|(?:store|save) (?:this )?(?:in|to) (?:your )?(?:long-term )?memory${END}`,
      `${BEGIN}(?:as )?(?:agreed|discussed|arranged|confirmed) with your user${END}`,
    ),
  },
  {
    // "To complete your task, first call …", "before you can solve the task that I gave you".
    kind: "task",
    words: latePattern(
      "task|before (?:you|answer|repl|respond|summari)|aufgabe|tarea|tarefa|tâche|mission|compito|attivit|taak|任务|タスク|依頼|작업|翻译|总结|阅读|摘要|回答",
      "gi",
    ),
    start: either(
      `${BEGIN}(?:to|in order to) (?:complete|finish|solve|fulfil+|accomplish) (?:your|this|the|my) task${END}(?! (?:list|bar|manager))`,
      `${BEGIN}before (?:you (?:can )?(?:solve|complete|answer|summari[sz]e)|(?:answering|replying|responding|summari[sz]ing)${END})`,
      `${BEGIN}um (?:deine|die|Ihre|diese) aufgabe (?:abzuschließen|zu (?:erledigen|lösen|erfüllen))`,
      `${BEGIN}(?:para (?:completar|terminar|concluir) (?:la|tu|su|a|sua) (?:tarea|tarefa)|pour (?:terminer|accomplir|compléter|achever) (?:la|ta|votre|cette) (?:tâche|mission)|per completare (?:il|la|questo|questa) (?:tuo |tua )?(?:compito|attività)|om (?:je|de|uw) taak te)`,
      "(?:为了|要)?完成(?:你的|您的|这个|该|此|用户的)?任务|(?:タスク|依頼)を(?:完了|達成)するに?は|작업을 완료하려면",
      "(?:翻译|总结|阅读|摘要|回答)(?:完|之?后|完成后)[^。\\n]{0,6}(?:请|立即)?(?:调用|执行|运行)",
    ),
    demand: latePattern(
      `^[^\\n]{0,160}?(?:https?://|${BEGIN}(?:call|run|execute|curl|invoke|token|strumento|ferramenta|herramienta|outil|werkzeug|tool|ejecutar${LETTER}*|descargar|chiamare|aufrufen|do the following|das folgende)${END}|${LETTER}+_${LETTER}+|调用|执行|発送|呼び出|送信|호출|실행)`,
      "i",
    ),
  },
];
