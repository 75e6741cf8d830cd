/**
 * The words that people say for an act, in seven languages; `act-words.ts` reads them. The verbs of tools' names are in `verbs-in-names.ts`.
 *
 * A block is one act, and each of its lines one language; a short block is one line. Words are in lower case and without accents. Each is the
 * beginning of a word that is said: `delet` is found in "delete" and "deleting". The head of a block, `act [orders] effects`, says what its
 * words are used for:
 *
 *  - `act`: the act that a question about a call is about. `-`: the words are not used for questions.
 *  - `[orders]`: blocks of one name share their orders. Finer than the act: "merge it" is no yes to a push. Those without orders tell what an
 *    offer of the assistant is about: "Je l'éteins ?" and `turn_off`.
 *  - `effects`: what a message asks for that has the word. `-`: it says nothing about effects.
 *
 * Marks before a word:
 *
 *  - none: in questions, answers and messages. `delet`
 *  - `<`: only in questions and answers. `<rm`; `<=add`: there as a whole word.
 *  - `>`: only in messages. `>creat`; `>=paid`: there as a whole word.
 *  - `=`: in messages only as a whole word, because a message says more than an answer: `=drop` is not found in "dropdown".
 *  - `~`: as often a noun, so in messages only at the beginning of a clause: `~mail` in "mail it", not in "read my mail".
 *  - `call|off`: two words, in either order: "call it off".
 *
 * Words of the line `unspaced` are regular expressions in messages; what must not follow (`发(?!现)`) counts only there.
 *
 * The orders follow `!`, as whole words: an answer to a question that is one of them means yes. `send|off`: the object may be between the two.
 * Words that name how something is sent ("email it"), that ask for another value ("change it"), or that may report ("gelöscht") are no orders.
 */

export const SPOKEN_ACTS = String.raw`
delete [delete] destroy
  en: delet remov eras =drop <rm purg trash ! delete remove erase purge trash bin|it bin|that bin|this bin|them get|rid|of throw|away throw|out chuck
    chuck|out toss toss|out
  de: losch entfern weg <wirf ! losch losche loschen entferne entfernen weg|damit hau|weg hau|raus wirf|weg wirf|raus schmeiss|weg schmeiss|raus
    raus|damit
  es: =borra =borrar =borre borral elimin <quit ! borra borralo borrala borralos borralas borrar elimina eliminalo eliminala eliminalos eliminalas
    eliminar quitalo quitala quitar
  fr: supprim effac enlev ! supprime supprimer supprimez efface effacer effacez enleve enlever enlevez vire virer
  unspaced: 删 刪 移除 削除 消し 消す 消去 삭제 지워 ! 删 刪 删除 刪除 删掉 刪掉 移除 清掉 消して 削除 削除して 捨てて 지워 삭제해
- destroy
  en: discard =scrap prun uninstall terminat kill unsubscrib clear clean tidy wip ~empty =void nuke ditch deactivat disabl dismiss dispos shred weed
    declutter
  de: gelosch wegwerf schmeiss kundig abbestell =leere ausraum aufraum ausmist
  es: =vacia =vaciar limpi descarta
  fr: =vide =vider nettoi nettoy =jette =jeter resili debarrass
  unspaced: 清空 清理 清除 去掉 扔 整理掉 破棄 片付け 捨て 解約 지우 제거 없애 비워
cancel [cancel] destroy
  en: cancel revok <call|off ! cancel revoke call|off
  de: storn <stornier absag abzusag <sag|ab ! storniere stornieren sag|ab absagen
  es: =anula =anular <anul ! cancela cancelalo cancelala cancelar anula anulalo anulala
  fr: =annule =annuler =annulez <annul ! annule annuler annulez
  unspaced: 取消 キャンセル 取り消 취소 ! 取消 キャンセルして 取り消して 취소해
reject destroy en: reject
reject - en: declin de: ablehn lehn|ab es: rechaz fr: refus unspaced: 拒绝 拒絕 拒否 却下 거절
undo destroy en: undo es: deshaz unspaced: 撤销 撤銷
undo - en: revert abort rollback de: ruckgangig es: deshac unspaced: 元に戻 되돌
send [send] send
  en: send ~mail ~email ~e-mail ~message ~text <sms notif ~forward reply >=replies >=replied ! send send|off send|out send|away fire|off off|goes
  de: schick sende <verschick ! schick schicks schicke schicken schick|ab schicks|ab schick|raus schicks|raus abschicken losschicken hau|raus
    haus|raus raus|damit sende senden send|ab absenden
  es: =envia envial =manda mandal <envi <mand ! envia enviala enviar envialo envialos envialas manda mandalo mandala mandalos mandalas mandar
  fr: envoi envoy ! envoie envoyer envoyez expedie expedier
  unspaced: 发(?!生|现|布) 發 <寄 <送 >送信 >送っ >送る 보내 ! 发 發 发送 發送 发出 發出 寄 寄出 送って 送信 送信して 出して 보내
send send en: =tell de: <abschick =schreib =schreibe <sag|bescheid es: escrib =avisa avisal <avis fr: =ecris =ecrire <ecri unspaced: 通知 <연락
- send
  en: sent ~answer writ ~call remind
  de: antwort weiterleit =leite benachrichtig =sag =sage bescheid
  es: respond contest reenvi notific
  fr: repond transfer =previens =prevenir =dis
  unspaced: 回复 回覆 告诉 告訴 写信 転送 返信 連絡 伝え メールし 知らせ 전송 답장
pay [pay] pay
  en: =pay =pays =paying >=paid ! pay
  de: bezahl =zahl =zahle =zahlen ! zahl zahle zahlen bezahl bezahle bezahlen
  es: =paga =pagar =pague <pago ! paga pagalo pagala pagar
  fr: =paie =paye =payer ! paie paye payer payez
  unspaced: <付 支付 支払 払 결제 ! 付 付款 支付 払って 支払って 결제해
pay [transfer] pay
  en: ~transfer ! transfer
  de: uberweis ! uberweis uberweise uberweisen
  es: transfier ! transfiere transfierelo transferir
  fr: =vire =virer <vir ! transfere transferer
  unspaced: 转账 轉帳 <转 <轉 振込 振り込 송금 ! 转 轉 转账 轉帳 振り込んで 송금해
pay pay en: ~charge buy ~order de: kauf es: compr fr: =acheter =achete <achet unspaced: 买 買
- pay
  en: bought purchas ~wire donat spend =sell ~tip =settle ~rent
  de: bestell
  es: =vende =dona =abona
  fr: =commande =verse =vends
  unspaced: 付款 付钱 付給 付给 付清 购买 購買 下单 汇款 賠 購入 注文 送金 구매 주문 지불 사\s?줘
refund [refund] pay
  en: refund reimburs <back|pay <back|give ! refund reimburse pay|back give|back
  de: erstatt >ruckerstatt >=zuruckzahlen <zuruck <zuruck|zahl <zuruck|gib ! erstatte erstatten zahl|zuruck zahls|zuruck zuruckzahlen
  es: reembols devuelv >devolv ! reembolsa reembolsalo reembolsar devuelve devuelvelo devuelvela devolver
  fr: rembours >=rends >=rendre ! rembourse rembourser remboursez
  unspaced: 退款 <退 >退.{0,6}(?:元|块|钱) 返金 払い戻 환불 ! 退 退款 返金 返金して 払い戻して 환불해
book [book] commit
  en: ~book =reserve >=reserving =schedule <schedul <reserv ! book reserve schedule
  de: =buch =buche =buchen reservier <eintrag <trag ! buch buche buchen reserviere reservieren trag|ein trags|ein eintragen
  es: =reserva =reservar <agend ! reserva reservalo reservala reservar agenda agendalo agendala
  fr: =reserver ! reserve reserver reservez
  unspaced: 预约 預約 预订 預訂 预定 予約 예약 >訂 >订(?!单) ! 预约 預約 预订 預訂 订 訂 予約 予約して 예약해
book - en: <=add <=added <=adding put enter es: inscri unspaced: 入れ
move [move] change
  en: >mov <move <moving <mv ! move
  de: verschieb ! verschieb verschiebe verschieben
  es: =mueve =mover <muev ! mueve muevelo muevela mover
  fr: deplac ! deplace deplacer deplacez
  unspaced: <移 移动 移到 移動 옮 ! 移 移动 移動 移動して 옮겨
move [rename] change
  en: renam ! rename
  de: umbenenn =benenn
  es: renombr ! renombra renombralo renombrar
  fr: renomm ! renomme renommer renommez
  unspaced: 重命名 <改名 ! 改名 重命名
move - en: reschedul shift de: umbuch es: cambi unspaced: 改 変更 変え
update change
  en: updat chang edit modif =set replac <patch
  de: =ander =andere andert <ander aktualisier setz <pass
  es: cambi actualiz modific <met
  fr: =change =changer modifi
  unspaced: 更新 改(?!动|变) 変更し <変更 編集 수정
- change
  en: fix repair correct rewrit rewrot =put =setup =store =stored append refactor ~mark ~tag implement configur improv convert translat =bump migrat
    upgrad appl adjust finish complet resolv solv tweak polish
  de: bearbeit ersetz =fug =fuge erganz =trag =trage korrigier reparier =richte
  es: =edita =corrige =arregla =pon reemplaz
  fr: =mets =mettre corrig =repare remplac
  unspaced: 编辑 編輯 加上 写[到入进] 存[到入] 修(?!改记录) 変え 直し 直す 修正 고쳐 바꿔 변경해 추가 적어 써
create [create] create
  en: >creat <create <new ! create add insert
  de: erstell anleg <leg <trag ! leg|an legs|an anlegen erstell erstelle erstellen trag|ein trags|ein eintragen
  es: =crea =crear creal crees cree ! crea crealo creala crear anadelo anadir
  fr: =cree =creer =creez ! cree creer creez ajoute ajouter ajoutez
  unspaced: 创建 創建 新建 作成 <作 만들 ! 创建 創建 新建 建 作成 作成して 作って 만들어
create [create] change en: insert
create [create] change+create en: >=add <=add >=adds >=adding es: anad >agreg unspaced: >添加
create change+create en: >mak <make de: >=leg >=lege >=mach >=mache es: =haz fr: ajout >=fais >=faire unspaced: >追加
create [write] change+create
  en: >writ <write ! write write|down
  de: schreib ! schreib schreibs schreibe schreiben
  es: escrib ! escribe escribelo
  fr: ecri enregistr ! ecris ecrire ecrivez enregistre enregistrer enregistrez sauvegarde sauvegarder
  unspaced: 寫 書い 書き <書 <写 ! 写 寫 書いて
create [write] change
  en: >sav <save ! save
  de: speicher ! speichere speichern
  es: guard ! guarda guardalo guardala guardar
  unspaced: 保存 저장 ! 保存 保存して 저장해
create - en: append
- create
  en: build generat ~draft ~open ~start ~record =log regist ~note
  de: =bau generier eroffn =offne eintrag trag
  es: gener =abre =abrir registr redact
  fr: =ouvre redig
  unspaced: 建一?个 生成 写[个一份] 登记 作っ 作ら 新規 登録 생성 작성 등록
run [run] -
  en: run execut ! run execute
  de: ausfuhr fuhr ! fuhr|aus ausfuhren
  es: ejecut <=corre correr lanz ! ejecuta ejecutalo ejecutala ejecutar
  fr: lanc ! execute executer executez lance lancer lancez
  unspaced: 运行 運行 执行 執行 実行 실행 ! 运行 運行 跑 执行 執行 実行 実行して 走らせて 走らせ 실행해
run [start] -
  en: start launch ! start launch
  de: start ! starte starten
  fr: demarr lanc ! demarre demarrer lance lancer
  unspaced: 启动 啟動 起動 ! 启动 啟動 起動して
run [deploy] commit
  en: deploy ! deploy
  de: ausroll ! deploye deployen
  es: despleg desplieg ! despliega despliegalo
  fr: deploi ! deploie deployer deployez
  unspaced: 部署 デプロイ 배포 ! 部署
run [install] change
  en: instal ! install
  de: installier ! installier installiere installieren
  es: instal ! instala instalalo instalar
  fr: instal ! installer installez
  unspaced: <安装 <安裝 ! 安装 安裝
stop [close] -
  en: close ! close
  de: schliess ! schliesse schliessen
  es: cierr ! cierra cierralo cierrala
  fr: ferm ! ferme fermer fermez
  unspaced: 关 關 閉 닫 ! 关 關 关闭 關閉 关掉 關掉 閉じて
- [switch_on] -
  en: turn|on switch|on
  de: anmach anschalt einschalt mach|an schalt|an schalt|ein
  es: enciend encend prend
  fr: allum
  unspaced: 打开 打開 つけ 点け 켜
- [switch_off] -
  en: turn|off switch|off
  de: ausmach ausschalt abschalt mach|aus schalt|aus schalt|ab
  es: apag
  fr: etein
  unspaced: 关 關 消し 消す 끄 꺼
- [open] -
  en: open
  de: offn aufmach mach|auf
  es: abr
  fr: ouvr
  unspaced: 打开 打開 開け 열
stop - en: stop end finish pause de: beend stopp halt es: termin par fr: arret unspaced: 停 结束 종료
copy - en: copy duplicate clone de: kopier duplizier es: copi fr: duplic unspaced: 复制 複製 コピー 복사
publish [publish] commit
  en: publish ! publish post
  de: veroffentlich ! veroffentliche veroffentlichen
  es: =publica =publicar <public ! publica publicalo publicala publicar
  fr: =publie =publier <publi ! publie publier publiez
  unspaced: 发布 發佈 公開し <公開 게시 ! 发布 發佈 公開して 게시해
send [publish] commit+send en: ~post
publish [share] access+send en: ~share ! share
publish [share] access
  de: =teil =teile =teilen ! teile teilen
  es: =comparte =compartir <compart ! comparte compartelo compartir
  fr: partag ! partage partager partagez
  unspaced: 分享 共有 >共享 >공유 ! 分享 共有して
publish [upload] commit en: upload ! upload de: <hochlad ! hochladen es: =sube =subir ! sube subelo subir unspaced: <上传 <上傳 ! 上传 上傳
publish [merge] commit+change
  en: merg ! merge merge|in
  de: <zusammenfuhr ! mergen zusammenfuhren
  es: <fusion ! fusiona fusionalo
  unspaced: 合并 マージ 병합 ! 合并 合併 マージして
publish [push] commit en: push ! push de: push ! pushe pushen fr: =pousse =pousser unspaced: 推送 プッシュ 푸시 ! 推送 プッシュして
publish [commit] commit en: commit ! commit de: commit ! committen unspaced: >提交 コミット 커밋 ! 提交 コミットして
publish - en: submit
- commit
  en: ~release =ship submit approv ~sign confirm accept =hire =prs? =pull tweet =live
  de: bestatig freigeb freigib genehmig einreich unterschreib
  es: aprueb aprob =firma =firmar confirma
  fr: approuv =signe =signer confirm =valide =soumets
  unspaced: 批准 上线 签 承認 確定 投稿 提出 リリース 승인 제출
- access+send en: invit
- access
  en: =grant authori permi =allow unblock unlock
  de: freigeb freigib einlad =lad =lade berechtig erlaub
  es: =invita autoriz =permite
  fr: =invite =inviter autoris
  unspaced: 授权 授權 邀请 邀請 招待 許可 초대 허용
- read
  en: read show ~list =look check find search =see tell explain describ review summari compar ~count what which =who =whose where =when =why =how
    ~view inspect translat
  de: lies lese zeig liste such =schau schauen =find prufe pruf =sag erklar beschreib =fass fasse =was welch =wer =wo =wann warum =wie =ob nachseh
  es: =lee =lea =leer muestr =lista =busca =mira =dime explic resum compar cuent =que =cual =quien =donde =cuando =como comprueb verific
  fr: =lis =lire montr =cherche regard verifi expliqu resum =comment =quel =quelle =qui =quand pourquoi
  unspaced: 看 查 读 讀 显示 顯示 列出 搜 找 解释 解釋 说明 說明 总结 總結 什么 什麼 哪 谁 誰 吗 多少 見せ 見て 読 教え 調べ 探し 検索 確認 説明 要約 何 どの どれ いつ 보여 읽 찾 검색 확인 설명 요약 뭐 무엇 어디 언제
`;
