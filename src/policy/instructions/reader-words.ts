/**
 * Words by which a text speaks to the model that reads it, and words for what it demands. By language, as sources of regular
 * expressions without look-around and without repetition inside repetition. Pure.
 */

/** Small classes: the regular expressions are long, and `\p{L}` in each word made them take 150 ms to compile. */
export const LETTER = "[\\w\\u00c0-\\u024f\\u0370-\\u052f\\u0600-\\u06ff\\u0900-\\u097f\\u1e00-\\u1eff]";
export const BEGIN = `(?<!${LETTER})`;
export const END = `(?!${LETTER})`;

/** The reader: an AI, by a name that no person has. */
export const AI =
  "(?:(?:(?-i:AI|A\\.I\\.)|ai(?=[ -](?:assist|agent|model|system|bot|tool|chat)))(?:[ -](?:assistants?|agents?|models?|systems?|bots?|tools?|reviewers?|readers?|helpers?|chatbots?|crawlers?))?|LLMs?|(?:large )?language[ -]models?|artificial intelligence|(?:ro|chat)?bots?(?=[ ]?[,:;!.])|(?:shopping|mail|email|support|travel|booking|banking)[ -]bots?|(?:coding|shopping|research)[ -](?:agents?|assistants?|bots?)|automated (?:assistants?|agents?|readers?|systems?|tools?|reviewers?|processing)|(?:virtual|digital|automatic) assistants?|(?:coding|autonomous|computer[ -]use) agents?|copilot|chatgpt|gpt(?:[- ]?\\d\\w*)?|(?-i:Claude)" +
  "|(?-i:KI)(?:[ -](?:Assistent(?:en|in)?|Agent(?:en)?|Modelle?|Systeme?|Bots?))?|künstliche Intelligenz|Sprachmodelle?|(?:automatische[rn]?|digitale[rn]?|virtuelle[rn]?) Assistent(?:en|in)?" +
  "|(?:l['’])?(?-i:IA)(?: assistante?)?|assistante?s? IA|agents? IA|intelligence artificielle|modèles? (?:de langage|d['’]IA)|(?:agents?|assistants?)(?: d['’]achat)? automatis[ée]+s?|assistant (?:virtuel|numérique)" +
  "|asistentes? (?:de IA|virtual(?:es)?|digital(?:es)?)|(?:agentes?|modelos?) de (?:IA|lenguaje|inteligencia artificial)|inteligencia artificial" +
  "|assistentes? (?:de IA|virtua(?:l|is)|digita(?:l|is))|(?:agentes?|modelos?) de (?:linguagem|inteligência artificial)|inteligência artificial" +
  "|assistent[ei] (?:IA|AI|virtual[ei]|digital[ei])|intelligenza artificiale|modell[oi] linguistic[oi]|AI-assistent(?:en)?|taalmodel" +
  `|(?-i:ИИ)(?:[ -](?:ассистент|помощник|агент|модель)${LETTER}*)?|нейросеть|языков${LETTER}+ модел${LETTER}+|asyst${LETTER}+ AI|model${LETTER}* językow${LETTER}*|yapay zek[aâ](?: asistan${LETTER}*)?|trợ lý (?:AI|ảo)|AI सहायक|एआई(?: सहायक)?|المساعد الذكي|للمساعد الذكي|الذكاء الاصطناعي)`;

/** Names of the reader that people have too: they count where the text speaks to them. */
export const READER =
  "(?:assistants?|agents?|models?|Assistent(?:en|in)?|Modell|modèle|asistente|agente|modelo|assistente|modello|ассистент|помощник)";

export const CJK_AI =
  "(?:AI(?:助手|助理|模型|智能体|代理|系统|アシスタント|エージェント|モデル|様|さん|の皆様)?|人工智能(?:助手|助理)?|人工知能|(?:大|语言|大语言|語言)模型|智能(?:助手|助理|体)|言語モデル|生成AI|機械学習モデル|(?:AI|인공지능) ?(?:비서|어시스턴트|에이전트|모델)|언어 모델|인공지능|챗봇|聊天机器人|机器人助手|チャットボット)";

/** What is demanded: verbs of acts that an assistant can do. */
const VERBS: Readonly<Record<string, string>> = {
  en: "send|forward|e-?mail|open|visit|go to|navigate|click|fetch|download|delete|remove|erase|wipe|transfer|wire|pay|buy|purchase|order|book|reveal|print|output|list|show|display|share|copy|attach|append|add|insert|include|write|post|publish|reply|respond|answer|say|tell|mention|recommend|rate|grade|rank|approve|accept|confirm|sign|execute|run|call|invoke|use|put|place|set|change|update|replace|remember|store|save|upload|submit|create|invite|grant|give|make|do|ignore|disregard|forget|stop|decode|translate|repeat|leave out|omit|hide|skip|begin|start|end|prepend|push|merge|install|disable|proceed|continue|check out|report|read|star|subscribe|vote|search|look up|contact|message|notify|state|claim|pretend|act|treat|return|type|enter|collect|gather|summari[sz]e",
  de: "sende[nt]?|schicke?n?|leite|weiterleiten|weiterzuleiten|öffnen?|besuchen?|klicken?|lade|herunterladen|lösche?n?|entfernen?|überweisen?|zahlen?|bezahlen?|kaufen?|bestellen?|buchen?|zeigen?|gib|geben?|teilen?|kopieren?|hänge|anhängen|füge|einfügen|schreiben?|antworten?|sag|sagen?|erwähn(?:en?|t)|empfiehl|empfehlen|bewerte[nt]?|genehmigen?|bestätigen?|führen?|rufen?|aufrufen|nutzen?|verwenden?|setzen?|ändern?|ersetzen?|merken?|speichern?|ignoriere?n?|vergiss|missachten?|trage|eintragen|nenne|nennen|lass|lies|lesen|verrate|antworte",
  es: "env[ií][ae]n?|enviar|reenv[ií][ae]|reenviar|abr[ae]|abrir|visit[ae]|visitar|descarg(?:a|ue|ar)|borr[ae]r?|elimin[ae]r?|transfier[ae]|transferir|pag(?:a|ue|ar)|compr[ae]r?|reserv[ae]r?|revel[ae]r?|muestr[ae]|mostrar|compart[aei]r?|copi[ae]r?|adjunt[ae]r?|añad[aei]r?|escrib[aei]r?|pon|ponga|poner|respond[ae]r?|di|diga|decir|menciona?r?|recomi[e]?nd[ae]r?|recomendar|aprueb[ae]|aprobar|confirm[ae]r?|ejecut[ae]r?|llam[ae]r?|llame|us[ae]r?|cambi[ae]r?|sustituy[ae]|sustituir|ignor[ae][rn]?|olvid[ae][rn]?|cancel[ae]r?|haz|haga|hacer|publi(?:ca|que|car)",
  fr: "envoie[sz]?|envoyez|envoyer|transf[èé]re[sz]?|transférer|transférez|ouvre[sz]?|ouvrir|visite[sz]?|visiter|télécharge[zr]?|supprime[zr]?|efface[zr]?|vire[zr]?|paye?[zr]?|paie|achète|achete[zr]|commande[zr]?|réserve[zr]?|révèle|révéle[zr]|affiche[zr]?|montre[zr]?|partage[zr]?|copie[zr]?|joins|joignez|joindre|ajoute[zr]?|écris|écrivez|écrire|réponds|répondez|répondre|dis|dites|dire|mentionne[zr]?|recommande[zr]?|approuve[zr]?|valide[zr]?|confirme[zr]?|exécute[zr]?|appelle[sz]?|appele[zr]|utilise[zr]?|change[zr]?|remplace[zr]?|ignore[zr]?|oublie[zr]?|fais|faites|faire|tiens|tenez|publie[zr]?",
  pt: "envi[ae]r?|encaminh[ae]r?|abr[aei]r?|visit[ae]r?|baix[ae]r?|apag(?:a|ue|ar)|exclu[ai]r?|delet[ae]r?|transfir[ae]|transferir|pag(?:a|ue|ar)|compr[ae]r?|reserv[ae]r?|revel[ae]r?|mostr[ae]r?|compartilh[ae]r?|copi[ae]r?|anex[ae]r?|adicion[ae]r?|escrev[aei]r?|respond[aei]r?|dig[ae]|diz|dizer|mencion[ae]r?|recomend[ae]r?|aprov[ae]r?|confirm[ae]r?|execut[ae]r?|cham[ae]r?|us[ae]r?|mud[ae]r?|substitu[ai]r?|ignor[ae]r?|esqueç[ae]|esquecer|cancel[ae]r?|faç[ao]|fazer|publi(?:ca|que|car)",
  it: "invi[ai]r?e?|inoltr[ai]r?e?|apr[ai]|aprire|visit[ai]r?e?|scaric[ah]?[ia]r?e?|elimin[ai]r?e?|cancell[ai]r?e?|trasferisc[ai]|trasferire|pag[ah]?[ai]r?e?|compr[ai]r?e?|prenot[ai]r?e?|rivel[ai]r?e?|mostr[ai]r?e?|condivid[ai]|copi[ai]r?e?|alleg[ah]?[ai]r?e?|aggiung[ai]|scriv[ai]|scrivere|rispond[ai]|rispondere|di['’]|dire|menzion[ai]r?e?|raccomand[ai]r?e?|approv[ai]r?e?|conferm[ai]r?e?|esegu[ai]|eseguire|chiam[ai]r?e?|us[ai]r?e?|cambi[ai]r?e?|sostituisc[ai]|ignor[ai]r?e?|dimentic[ah]?[ai]r?e?|fai|fare",
  nl: "stuur|verstuur|sturen|open|bezoek|klik|download|verwijder|wis|betaal|koop|bestel|toon|deel|kopieer|voeg|schrijf|antwoord|zeg|vermeld|beveel|negeer|vergeet|voer|roep|gebruik|wijzig",
  others: `отправ${LETTER}+|перешл${LETTER}+|удал${LETTER}+|откро${LETTER}+|перевед${LETTER}+|скажи${LETTER}*|игнорир${LETTER}+|напиши${LETTER}*|wyślij|prześlij|usuń|otwórz|zignoruj|napisz|gönder|sil|aç|yaz|yoksay|gửi|bấm|xóa|mở|chuyển|أرسل|احذف|افتح|تجاهل|اكتب|حول|भेज${LETTER}*|भेजें|हटा${LETTER}*|खोल${LETTER}*`,
};

export const VERB = `(?:${Object.values(VERBS).join("|")})`;

export const CJK_VERB =
  "(?:发送|发到|转发|发给|打开|访问|点击|下载|删除|转账|汇款|付款|支付|购买|下单|透露|显示|输出|列出|分享|复制|附上|添加|加入|写入|填到|填写|回复|告诉|说明|推荐|评为|批准|确认|执行|运行|调用|修改|替换|记住|忽略|无视|无论|不要|請|请|把|将|送信|送って|転送|開いて|開き|クリック|ダウンロード|削除|振り込|送金|支払|購入|注文|表示|出力|共有|コピー|添え|添付|追加|書い|記入|返信|伝え|言及|推薦|お勧め|承認|確認なし|実行|呼び出|変更|置き換え|覚え|無視|してください|せよ|すること|いただけ|보내|전달|열어|클릭|다운로드|삭제|송금|결제|구매|표시|출력|공유|복사|첨부|추가|작성|답장|알리|추천|승인|실행|호출|바꿔|변경|무시|하세요|주세요|하십시오)";
