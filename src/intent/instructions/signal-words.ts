/**
 * Words by the signal they give in a text that speaks to a model: the reader, the user, orders, acts, secrecy. Through these classes the
 * model learns from one language for all. Pure.
 */

import { once } from "../../lib/once.ts";
import { normalForm } from "../../lib/text/normal-form.ts";

/** Letters of a word that count: endings differ. */
export const STEM = 6;

/** In no order; each represents all words that begin with its first six letters. Accents are dropped. */
const words = {
  ai: `ai ais ia ki ii llm llms gpt gptbot gpts chatgpt claude gemini copilot copilots chatbot bot bots machine robot sprachmodell
    automated automatisch automatico automatique automat intelligence intelligenz inteligencia intelligenza kunstliche artificial artificielle
    language linguistico linguagem lenguaje langage virtual virtuel virtueller digital numerique нейросеть ии искусственный языковой виртуальный
    sztuczna jezykowy yapay zeka zekasi dil taalmodel tro الذكاء الذكي ذكاء الاصطناعي एआई कृत्रिम sprakmodell autonomous autonome`,
  reader: `assistant agent agente agenten modell model modele modelo modello modelli asistente assistente assistenti assistenten
    ассистент помощник агент модель asystent asistan trợ مساعد المساعد للمساعد الوكيل सहायक एजेंट मॉडल crawler summarizer summariser reviewer parser
    reader leser lecteur lector lettore software engine helper`,
  user: `user nutzer benutzer anwender usuario usuaria usuário utilizador utilisateur utente gebruiker пользователь uzytkownik kullanici المستخدم
    उपयोगकर्ता उपयोगकर्त anvandare human humain mensch`,
  act: `send sends sending sent forward email e-mail mail open visit click fetch download delete remove erase wipe transfer wire pay buy purchase order book
    upload submit create invite grant give execute run call invoke install disable push merge share copy attach append insert post publish change
    update replace store save confirm accept approve sign cancel unlock add move rename subscribe set enter paste put rotate reset query drop curl
    sende senden schick schicke leite weiterleiten offne offnen lade losche loschen entferne uberweise zahle bezahle kaufe bestelle buche
    teile kopiere hange anhangen fuge schreibe bestatige genehmige fuhre ausfuhren aufrufen ruf rufe setze andere ersetze speichere trage starte
    veroffentliche klick klicke lege stimme
    envia envie enviar reenvia reenvie abre abra abrir visita descarga borra borre elimina transfiere transfiera paga pague compra compre reserva
    comparte comparta copia copie adjunta adjunte anade anada confirma ejecuta ejecute llama llame cambia cambie publica publique pulsa haz haga
    apaga apague exclua baixe transfira transfere compartilhe partilhe anexe adicione execute chame mude substitua clique encaminhe
    envoie envoyez envoyer transferez ouvre ouvrez telecharge supprime efface virez paie payez achete commande reserve partage copiez joins
    joignez ajoute ecris ecrivez valide execute appelle utilise remplace publie clique lance mets
    invia inviare inoltra apri aprire scarica cancella trasferisci paga acquista prenota condividi allega aggiungi scrivi conferma esegui chiama
    cambia sostituisci imposta
    stuur verstuur open klik download verwijder wis betaal koop bestel deel kopieer voeg voer wijzig bevestig maak
    отправь отправить отправьте перешли переслать удали удалить открой откройте переведи перевести оплати купи запусти вызови добавь скопируй выполни
    подтверди измени
    wyslij wyslac przeslij usun otworz przelej zaplac kup uruchom wywolaj dodaj skopiuj udostepnij wykonaj potwierdz zmien wklej kliknij
    gonder ilet sil ac indir ode satin al calistir cagir ekle kopyala paylas degistir onayla yap
    gui bam xoa mo chuyen أرسل احذف افتح حول ادفع اشتر شغل انسخ أضف भेज भेजें भेजो हटा खोल खोलें चला skicka oppna radera`,
  say: `say says tell tells mention recommend rate score grade rank praise claim state answer reply respond write print output list show display
    reveal repeat quote pretend act treat begin start end finish conclude assume believe remember
    sag sage sagen erwahne empfiehl empfehle bewerte nenne gib antworte antworten behaupte zeige verrate schreib beginne beende erklare merke
    di diga decir menciona mencione recomienda recomiende califica responde responda muestra revela escribe escriba afirma
    dis dites dire mentionne recommande recommandez note reponds repondez affiche montre revele affirme termine precise
    dica diga mencione recomende avalie mostre revele escreva afirme
    rispondi menziona raccomanda consiglia valuta mostra rivela afferma
    zeg vermeld beveel antwoord toon noem meld schrijf
    скажи сообщи упомяни порекомендуй рекоменд ответь напиши покажи оцени
    powiedz napisz polec wspomnij odpowiedz ocen pokaz podaj
    soyle oner belirt yaz goster yanitla cevap noi viet
    قل اكتب اذكر أوص أجب बताओ बताएं बताना लिख कहो`,
  override: `ignore ignoring ignored disregard forget override bypass supersede ignoriere ignorier vergiss vergessen missachte ubergehe ignora ignorar olvida
    olvide descarta omite oublie esqueca desconsidere dimentica tralascia negeer vergeet игнорируй забудь проигнор zignoruj zapomnij pomin
    yoksay unut gormezden تجاهل انس अनदेखा भूल ignorera`,
  orders: `instruction instructions prompt prompts rules guidelines orders commands directive task tasks restrictions anweisung vorgaben regeln aufgabe
    auftrag systemprompt instruccion reglas ordenes tarea consigne directives regles tache instrucao instrucoes regras tarefa istruzione istruzioni
    regole compito instructies opdracht regels инструкции инструкц правила задача указания polecenia polecen instrukcje zadanie talimat talimatlari
    gorev kurallar التعليمات الأوامر निर्देश कार्य`,
  must: `must should shall need needs has have required supposed expected asked requested obliged muss mussen soll sollen sollte sollten musst darf durfen
    doit doivent devez dois faut debe deben debes deberia deve devem devono dovete devi precisa moet moeten dient должен должна должны нужно необходимо musi
    musisz nalezy powinien gerekir gerekiyor zorunda lazim phai يجب चाहिए ska maste`,
  secret: `password passwords secret secrets token credential credentials apikey key keys cookie cookies passwort zugangsdaten contrasena clave mot passe
    senha chave parola wachtwoord пароль пароли haslo hasla sifre sifreyi mat كلمة पासवर्ड api env ssh card iban private confidential`,
  silence: `secretly silently quietly without hide conceal omit skip leave heimlich ohne stillschweigend verschweige unauffallig sin oculta calla sans cache
    sem oculte senza nascondi zonder stiekem без молча тайно bez ukryj potajemnie olmadan gizlice haber khong دون बिना utan`,
  consent: `confirmation confirm approval permission consent asking ask warning ruckfrage bestatigung zustimmung fragen nachfragen confirmacion permiso preguntar
    consultar confirmacao permissao perguntar confirmation autorisation demander conferma autorizzazione chiedere bevestiging toestemming vragen
    подтверждения разрешения спрашивая potwierdzenia pytania pytac zgody onay sormadan izin إذن سؤال تأكيد पूछे अनुमति`,
  negation:
    "not never don't dont no nor cannot nicht nie niemals kein keine keinen pas jamais ne nao nunca non mai niet nooit geen не никогда nie nigdy degil asla لا नहीं मत inte",
  you: `you your yours yourself du dir dich dein deine deinen deiner deinem ihre ihren ihrer tu te tus ti vous votre vos voce sua seu teu tua tuo tuoi
    voi vostro je jouw uw u ты тебя твой твои вы вас ваш ваши twoj twoje twoja ci sen senin size sizin أنت आप अपने din du`,
  mine: "i me my mine we us our ours mir mich mein meine wir uns unser ich yo mi mis nosotros nuestro nous notre nos moi mon eu meu minha nosso io mio noi nostro wij ons onze ik mijn я мне мой мы нам наш ja mi moj my nam nasz ben bana biz bize مني लिए मुझे हम vi oss",
  role: "system admin administrator developer sistema systeme systemnachricht systemmeldung система системное администратор systemu systemowy sistem نظام سیستم सिस्टम operator root vendor override",
  output: `summary summaries response responses answer answers reply replies output translation review conclusion antwort antworten zusammenfassung ausgabe respuesta
    resumen reponse resume risposta riassunto resposta resumo antwoord samenvatting ответ ответе ответа резюме пересказ odpowiedz odpowiedzi podsumowanie yanit ozet cevabin الرد الملخص
    उत्तर सारांश svar gesprach verlauf unterhaltung conversa gesprek разговор rozmowa konusma`,
  process: `read reads reading summarise summarize summarising summarizing summarises processing process processes parsing indexing translating translate analysing analyzing crawl
    evaluating liest lesen liest zusammenfasst zusammenfassen verarbeitet auswertet ubersetzt lee leer leyendo resume resumir procesa procesar lit lire lisez
    lisant resumer traiter traite legge leggi leggendo riassumi riassumere elabora le lendo ler resumir processa leest lezen samenvat verwerkt читает читаешь
    читающий обраба czyta czytasz czytajacy przetwarza okuyan okuyorsan ozetle isleyen doc تقرأ يقرأ قراءة पढ़ पढ़ने`,
  tool: "tool tools function functions shell command script endpoint webhook werkzeug funktion befehl herramienta funcion comando outil fonction commande strumento funzione ferramenta hulpmiddel функция инструмент команду narzedzie narzedzia funkcje arac araci fonksiyon أداة उपकरण टूल verktyg",
  now: "now immediately urgent urgently first always whatever sofort jetzt zuerst dringend immer ahora inmediatamente primero siempre maintenant immediatement toujours adesso subito prima sempre agora imediatamente primeiro nu meteen altijd сейчас немедленно сначала всегда teraz natychmiast zawsze hemen simdi once her الآن فورا अभी तुरंत",
  when: "if when once before after while whenever since because wenn falls sobald bevor nachdem si cuando antes despues quand lorsque avant apres se quando dopo depois als voordat wanneer если когда прежде перед после jesli gdy zanim jezeli eger once sonra nếu إذا عندما قبل अगर यदि om",
  please:
    "please kindly bitte por favor veuillez merci gracias danke prego cortesia alstublieft пожалуйста prosze lutfen vui من فضلك कृपया dear hello hey hi hola hallo liebe bonjour cher ciao caro gentile beste уважаемый drogi sayin note attention notice achtung hinweis nota atencion uwaga not dikkat внимание ملاحظة",
} as const;

/** Scripts without spaces: whole words. */
const cjkWords: Readonly<Record<Signal, string>> = {
  ai: "人工智能 人工知能 大模型 大语言模型 语言模型 智能助手 智能助理 智能体 言語モデル 聊天机器人 机器人 チャットボット 인공지능 언어모델 챗봇 자동화 自动化 自動",
  reader: "助手 助理 模型 代理 アシスタント エージェント モデル ボット 어시스턴트 비서 에이전트 모델 도우미",
  user: "用户 使用者 用戶 ユーザー 利用者 사용자 이용자",
  act: "发送 发到 转发 发给 打开 访问 点击 下载 删除 转账 汇款 付款 支付 购买 下单 分享 共享 复制 附上 添加 加入 写入 填写 批准 确认 执行 运行 调用 修改 替换 保存 上传 提交 取消 发布 送信 送って 送り 転送 開いて 開き 開く クリック ダウンロード 削除 振り込 送金 支払 購入 注文 共有 コピー 添付 追加 記入 書き 承認 実行 呼び出 変更 置き換え 保存 提出 公開 보내 전달 열어 클릭 다운로드 삭제 송금 결제 구매 공유 복사 첨부 추가 작성 승인 실행 호출 변경 바꿔 저장 업로드 제출",
  say: "透露 显示 输出 列出 回复 告诉 说明 推荐 评为 评价 声称 回答 表示 出力 返信 伝え 言及 推薦 お勧め 勧め 教え 答え 回答 評価 표시 출력 답장 추천 답변 대답 말하 알려 평가",
  override: "忽略 无视 無視 忘记 忘掉 忘れ 不要理会 不再遵守 従わ 무시 잊어 잊고",
  orders: "指示 指令 规则 提示词 命令 要求 任务 ルール プロンプト タスク 依頼 지시 명령 지침 작업 규칙 프롬프트",
  must: "必须 应当 应该 需要 务必 須 すること なければ 必要があ 必ず 반드시 해야 합니다",
  secret: "密码 密钥 令牌 凭证 私钥 パスワード 秘密 トークン 鍵 認証情報 비밀번호 토큰 비밀 열쇠 자격증명",
  silence: "悄悄 秘密地 不要提 隐瞒 不告诉 知らせず 内緒 黙って こっそり 몰래 알리지 말하지",
  consent: "确认 询问 同意 许可 確認 許可 同意 承諾 확인 동의 허락 묻지",
  negation: "不要 不得 请勿 不用 无需 不必 无须 別 ないで しない 不要 せず なしで なく 말고 하지 않 없이",
  you: "你 您 あなた 君 당신 너는",
  mine: "我 我们 私 弊社 当社 우리 저희 제가",
  role: "系统 系統 システム 시스템 管理员 管理者 开发者 開発者 관리자 개발자",
  output: "摘要 总结 回复 回答 答复 翻译 対話 会話 要約 返答 応答 回答文 对话 요약 답변 응답 대화",
  process: "阅读 读取 处理 总结 读到 解析 読んで 読む 処理 要約する 読み取 分析 읽는 읽고 처리하는 요약하는 분석",
  tool: "工具 函数 脚本 ツール 関数 スクリプト 도구 함수 스크립트",
  now: "立即 马上 现在 首先 先 直ちに 今すぐ まず 最初に 즉시 지금 먼저 당장",
  when: "如果 之前 之后 当 の前に 場合 たら 한다면 전에 후에 경우",
  please:
    "请 請 麻烦 烦请 尊敬 亲爱 注意 してください お願い ください いただ 様 さん へ 하세요 주세요 하십시오 부탁 에게 님",
};

/** Without the accents of Latin, Greek and Cyrillic letters. */
export const withoutAccents = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : normalForm(normalForm(text, "NFD").replace(/[\u0300-\u036f]/g, ""), "NFC");

const wordsOf = (list: string): readonly string[] => withoutAccents(list.toLowerCase()).trim().split(/\s+/);

export type Signal = keyof typeof words;

/** Numbered from 1 on. */
export const signals = Object.fromEntries(Object.keys(words).map((name, index) => [name, index + 1])) as Record<
  Signal,
  number
>;

/** From a word's stem to its class, from 1 on. */
export const signalOf = once((): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const name of Object.keys(words) as Signal[]) {
    const all = [...wordsOf(words[name]).map((word) => word.slice(0, STEM)), ...wordsOf(cjkWords[name])];
    for (const stem of all) if (!found.has(stem)) found.set(stem, signals[name]);
  }
  return found;
});

/** As the source of a regular expression, the longest first. */
export const cjkSource = once((): string =>
  [...new Set(Object.values(cjkWords).flatMap(wordsOf))].sort((one, other) => other.length - one.length).join("|"),
);
