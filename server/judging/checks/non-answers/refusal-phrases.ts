/**
 * Phrases by which an author says that the work was not done, per language. All are matched against
 * one sentence with straight apostrophes and without Markdown.
 */
const AUTHOR =
  "(?:i|we|this (?:assistant|model|agent|system|tool)|the (?:assistant|model|agent)(?= (?:is|was|could|can)))";
const ADVERB =
  "(?:(?:am |is |are |was |were )?(?:currently|unfortunately|simply|really|still|sadly|therefore|also|directly|just|regrettably|yet|as an ai|ultimately) )?";
const BE = "(?:am|is|are|was|were|'m|'re|have been|has been|had been)";
const CANNOT = `(?:${ADVERB}(?:can(?:no|')t|can ?not|won't(?: be able to)?|will not(?: be able to)?|could not|couldn't|would not be able to|must decline to|have to decline to|(?:do|did) not (?:manage|know how) to|(?:have|has) not been able to|haven't been able to|failed to)|${ADVERB}${BE} ?(?:currently |unfortunately |simply |still |also )?(?:not able|unable|not allowed|not permitted|not in a position|not equipped|not going) to|(?:wasn't|weren't|isn't|aren't) able to)`;
/** Verbs of which any piece of work is an object. */
const WORK =
  "(?:(?:directly|actually|accurately|reliably|fully|definitively|safely|really|fulfil+ or|find or|verify or|access or|help or|access and|open and) )?(?:help|assist|comply|fulfil+|complete|do|perform|proceed|provide|answer|generate|create|write|produce|process|handle|carry out|deliver|finish|execute|determine|calculate|compute|summari[sz]e|translate|draft|prepare|give|supply|share|offer|respond|engage|support|continue|extract|analy[sz]e)";
const LOOK =
  "(?:access|open|browse|view|see|read|visit|retrieve|load|download|find|locate|fetch|reach|look up|search)";
/** Makes a sentence about the work rather than about a finding: "help with that", "the answer". */
const WORK_OBJECT =
  "(?:with )?(?:you\\b|(?:(?:with )?(?:this|that|it|these|those|your|such|any|an?|the|what|specific|accurate|real-?time|exact|further|more|up-to-date|detailed)\\b)|(?:[a-z-]+ (?:or )?){0,3}(?:code|advice|recommendations?|content|opinions?|documents?|contracts?|reports?|figures?|data|information|papers?|files?|results?)\\b|[.!;,]|$|because|due to|since|as i\\b|as an\\b|at this|until|without|to )";
const SOURCE =
  "(?:(?:the|any|this|that|those|these|your|external|live|real-?time|attached|linked|provided|original|source|specified|given|required|necessary|referenced|full|actual|of|or|and) ){0,4}(?:links?|urls?|files?|attachments?|internet|web|websites?|web ?pages?|pages?|documents?|images?|pdfs?|datasets?|data|reports?|articles?|sources?|information|content|videos?|spreadsheets?|repository|texts?|https?:)";

const ENGLISH = [
  `\\b${AUTHOR} ?${CANNOT} ${WORK} ?${WORK_OBJECT}`,
  `\\b${AUTHOR} ?${CANNOT} ${LOOK} ${SOURCE}\\b`,
  `\\b${AUTHOR} (?:currently |unfortunately |still )?(?:do not|don't|did not|didn't) (?:currently |actually )?have (?:(?:direct|real-?time|live|full|any|current) )*(?:access|the ability|the capability|enough|sufficient|permission|information|data|the (?:required|necessary) (?:data|information|tools)|the (?:file|document|report|data|text|article)\\b|details|specific)`,
  `\\b${AUTHOR} (?:must|have to|will have to|need to|would like to|am going to|am) (?:respectfully |politely )?(?:declin(?:e|ing)|refus(?:e|ing)|pass on)\\b(?! to comment)`,
  "\\b(?:i|we)(?:'m|'re| am| are)? (?:going to )?(?:have to|must|need to) (?:respectfully |politely )?(?:decline|refuse|pass on)\\b(?! to comment)",
  "^i(?:'m| am) not an? [a-z ]{3,30}(?:,| and| so|;)",
  "\\b(?:i|we) (?:don't|do not|can't|cannot|didn't|did not) (?:see|find) (?:any |an? |the )?(?:attach|file|link|document|image|pdf|upload)",
  "\\b(?:i|we) (?:tried|attempted) to [a-z]+ .{0,80}\\b(?:but|however)\\b.{0,80}(?:error|fail|not\\b|n't|unable)",
  "\\b(?:not|unable)\\b.{0,40}\\bin my (?:environment|sandbox|session)\\b",
  "\\brequires? (?:information|data|access|tools|details)\\b.{0,30}\\b(?:i|we) (?:don't|do not|can't|cannot)\\b",
  "^(?:i|we)(?:'d| would) need (?:to (?:see|know|have|access|review|read)|access|more|further|additional|the)\\b",
  "^(?:task|job|request|run|agent) (?:failed|aborted|cancelled|timed out)\\b",
  `\\b${AUTHOR} (?:lack|lacks|lacked) (?:the |any |enough |sufficient )?(?:access|information|data|ability|capability|details|permission)`,
  "\\bas an ai(?: language model| assistant)?,? ",
  "\\b(?:as of|since|up to|before|at) my (?:last|latest|most recent|knowledge)\\b.{0,20}(?:update|cut-?off|training)",
  "\\bmy (?:knowledge (?:cut-?off|base)|training data|programming|guidelines|last (?:knowledge )?update)\\b",
  "\\b(?:this|the|your|that) (?:request|task|assignment|job|work|question|prompt)(?: itself)? (?:could not|couldn't|cannot|can't|can not|was not|wasn't|is not|has not been|will not) (?:be )?(?:possible to )?(?:complete|fulfil+|process|perform|execute|answer|carried out|finish|handle|deliver)",
  "^(?:this|your|that) request (?:violates|goes against|is against|falls outside)\\b",
  "^(?:unable|not able) to (?:complete|comply|process|provide|answer|access|fulfil+|retrieve|perform|determine|open|assist|help)\\b",
  "^(?:error|failed|failure)\\W{1,3}(?:unable to|could not|cannot|failed to|access|the file|no )",
  "\\b(?:this|that|it|providing .{1,60}|your request)(?: is| falls|'s) (?:outside|beyond|not within) (?:of )?(?:what i|my |the scope of what)",
  "\\bi(?:'m| am)(?: really)? not (?:comfortable|willing|authori[sz]ed|qualified|trained|designed|programmed)\\b.{0,20}\\b(?:to|with|for)\\b",
  "\\bi(?:'d| would) (?:rather|prefer) not\\b",
  "\\b(?:no (?:attempt|answer|deliverable|output|result) (?:was|were|is|can be|could be|will be) (?:made|given|provided|produced|delivered|generated))\\b",
];

/** Phrases by which an author says that the material does not hold the answer. */
const ENGLISH_MISSING = [
  "\\b(?:the|this|that|your|any of the) (?:(?:provided|given|supplied|above|attached|available|source|financial|input|uploaded) )?(?:text|document|passage|article|context|table|report|data|information|question|prompt|input|source|excerpt|filing|statement|file|material|content|dataset|figures|details|snippet|conversation|message)s?(?: (?:provided|above|given|supplied|available|i have|you (?:have )?(?:provided|shared|gave)|here))? (?:itself )?(?:does not|doesn't|do not|don't|did not|didn't|is not|isn't|are not|was not|fails? to|lacks?) ?(?:explicitly |directly |actually |specifically |appear to |seem to |currently |clearly )?(?:provide|contain|include|specify|mention|state|give|have|disclose|cover|offer|address|indicate|reveal|show|sufficient|enough|available|any|the (?:necessary|required|needed))",
  "\\b(?:there (?:is|was)(?: simply| currently)?(?: not|n't) (?:enough|sufficient|any)|there (?:is|was|are) (?:no|insufficient)|not enough|insufficient|no(?: relevant| further| specific| such)?) (?:information|data|context|details?)\\b",
  "\\b(?:el|la|los|las) (?:texto|documento|informe|artículo|tabla|datos|información)(?: \\p{L}+){0,2} no (?:contienen?|proporcionan?|incluyen?|mencionan?|especifican?|indican?|permiten?)(?!\\p{L})",
  "\\b(?:der|das|die) (?:\\p{L}+ )?(?:text|dokument|bericht|tabelle|daten|unterlagen) (?:enthält|enthalten|nennt|liefert|liefern|erwähnt|gibt)\\b.{0,60}\\b(?:nicht|keine?n?)",
  "\\b(?:le|la|les) (?:texte|document|rapport|tableau|données|informations?)(?: \\p{L}+){0,2} ne (?:contient|contiennent|fournit|fournissent|mentionne|précise|donne|permet|permettent|indique) pas",
  "\\b(?:o|a|os|as) (?:texto|documento|relatório|tabela|dados|informações)(?: \\p{L}+){0,2} não (?:contém|fornecem?|incluem?|mencionam?|especificam?|informam?|permitem?)(?!\\p{L})",
  "(?:テキスト|文書|資料|報告書|表|データ)(?:に)?は.{0,20}(?:記載されていません|含まれていません|示されていません|ありません)",
  "(?:数据|资料|文件|表格|文本|报告)(?:中|里)?(?:没有|并未|未|不)(?:提供|提及|包含|说明|足以|显示)",
  "\\b(?:the )?(?:required |necessary |requested |relevant |needed |specific )?(?:information|data|details|figures|answer) (?:is|are|was|were) (?:not|un)(?: ?(?:currently|explicitly|directly))? ?(?:available|provided|given|included|stated|disclosed|specified|present|found|contained|known)",
  "\\b(?:it|this|that)(?:'s| is| was| would be) (?:therefore |thus |simply )?(?:not possible|impossible|not feasible) (?:for (?:me|us) )?to (?:determine|calculate|compute|answer|provide|complete|say|give|tell|derive|know|perform|summari[sz]e|write)",
  "\\b(?:is|are|was|were)(?: not|n't) (?:explicitly |directly |currently )?(?:stated|provided|disclosed|given|mentioned|specified|included|available)\\b",
  "\\b(?:cannot|can't|can not|could not|couldn't) be (?:determined|calculated|computed|answered|completed|ascertained|derived|established|provided|identified)\\b",
];

/** One entry per language other than English; a refusal in the first person or the passive. */
const OTHER_LANGUAGES = [
  // Spanish
  "\\bno (?:puedo|podemos|pude|pudimos|me es posible|nos es posible|soy capaz de|tengo (?:acceso|la capacidad)|tenemos acceso|dispongo de|he podido|hemos podido) ?(?:con |en )?(?:acceso|ayudar|completar|proporcionar|realizar|acceder|responder|cumplir|generar|ofrecer|hacer|abrir|escribir|redactar|elaborar|preparar|traducir|resumir|calcular|determinar|entregar|consultar|leer|procesar|atender|información|suficiente|datos|a\\b|de\\b)",
  "\\bno (?:me |nos )?(?:es|fue|será) posible (?:realizar|completar|responder|proporcionar|elaborar|ayudar|escribir|redactar)",
  "\\bcomo (?:un |una )?(?:modelo de lenguaje|ia\\b|inteligencia artificial|asistente (?:virtual|de ia))",
  "\\b(?:hasta|desde|a fecha de|según) mi (?:última actualización|conocimiento|fecha de corte)",
  "\\b(?:el (?:texto|documento|informe|artículo)|la (?:información|tabla)) (?:proporcionad[oa] |dad[oa] |adjunt[oa] )?no (?:contiene|proporciona|incluye|menciona|especifica|ofrece)\\b",
  // French
  "\\b(?:je|nous) (?:ne (?:peux|suis|pouvons|sommes|dispose|disposons|pourrai)|n'ai|n'avons) (?:malheureusement )?(?:pas|malheureusement)\\b.{0,40}\\b(?:aider|accéder|accès|fournir|répondre|réaliser|capable|mesure|effectuer|compléter|traiter|ouvrir|pu|d'informations?|faire|assister|consulter|rédiger|écrire|calculer|déterminer|traduire|résumer|donner|produire|satisfaire|donnée)",
  "\\bil (?:m'est|nous est|ne m'est|ne nous est) (?:malheureusement )?(?:impossible|pas possible)\\b",
  "\\ben tant qu(?:e modèle de langage|'ia\\b|'intelligence artificielle|'assistant)",
  "\\b(?:lors de|à la date de|jusqu'à|depuis) ma dernière mise à jour\\b",
  "\\ble (?:texte|document|rapport|tableau)(?: fourni)? ne (?:contient|fournit|mentionne|précise|donne|permet) pas\\b",
  // German
  "\\bich (?:kann|konnte|bin|darf|habe|werde)\\b.{0,80}\\b(?:nicht|kein(?:e|en|erlei)?)\\b.{0,80}\\b(?:helfen|weiterhelfen|zugreifen|zugriff|öffnen|beantworten|bereitstellen|erstellen|erledigen|ausführen|in der lage|bearbeiten|unterstützen|liefern|abrufen|erfüllen|schreiben|verfassen|berechnen|ermitteln|übersetzen|zusammenfassen|nachkommen|zugang|auskunft geben|angaben machen)",
  "\\b(?:kann ich|kann dir|kann ihnen|können wir|konnte ich|konnten wir)\\b.{0,60}\\b(?:nicht|keine)\\b.{0,60}\\b(?:helfen|weiterhelfen|zugreifen|öffnen|beantworten|bereitstellen|erstellen|erledigen|bearbeiten|liefern|abrufen|erfüllen|schreiben|verfassen|berechnen|ermitteln|übersetzen|zusammenfassen|nachkommen|auskunft geben|angaben machen)",
  "\\b(?:ist|war) es (?:mir|uns) (?:leider |derzeit )?nicht möglich\\b",
  "\\bes (?:ist|war) (?:mir|uns) (?:leider |derzeit )?nicht möglich\\b",
  "\\bfehlen (?:mir|uns) .{0,40}(?:informationen|angaben|daten|unterlagen)",
  "\\bals (?:ki\\b|ki-|sprachmodell|künstliche intelligenz)",
  "\\b(?:mir|uns) (?:liegen|stehen) (?:leider |derzeit )?(?:dazu |hierzu )?(?:keine|nicht genügend) (?:\\p{L}+ )?(?:informationen|daten|angaben|zahlen|unterlagen)",
  "\\b(?:liegen|stehen) (?:mir|uns) (?:leider |derzeit )?(?:dazu |hierzu )?(?:keine|nicht genügend)\\b",
  "\\b(?:stand meines|seit meinem|mein(?:es|em)?) (?:letzten updates?|letzter wissensstand|wissensstands?|trainingsdaten)",
  "\\b(?:der|das) (?:bereitgestellte |vorliegende |angegebene )?(?:text|dokument|bericht) (?:enthält|nennt|liefert|erwähnt) (?:das |dies |dazu )?(?:nicht|keine|leider)",
  // Italian
  "\\bnon (?:posso|possiamo|sono in grado|siamo in grado|ho accesso|abbiamo accesso|ho potuto|mi è possibile|riesco a)\\b.{0,40}(?:aiutar|fornir|complet|acceder|risponder|eseguir|soddisfar|generar|assister|apr|alle?|ai|$|\\.)",
  // Portuguese
  "\\bnão (?:posso|podemos|consigo|conseguimos|consegui|tenho (?:acesso|a capacidade|informações|dados)|temos acesso|disponho|sou capaz|é possível|foi possível|pude)\\b.{0,40}(?:ajudar|fornecer|escrever|redigir|elaborar|calcular|determinar|traduzir|resumir|consultar|informaç|suficiente|completar|concluir|acessar|aceder|responder|realizar|gerar|atender|abrir|aos?|às?|a\\b)",
  "\\bcomo (?:um |uma )?(?:modelo de linguagem|ia\\b|inteligência artificial|assistente virtual)",
  "\\b(?:até|desde) (?:a )?minha última atualização\\b",
  // Dutch
  "\\b(?:ik|we|wij) (?:kan|kunnen|kon|konden|ben|heb|hebben|mag)\\b.{0,60}\\b(?:niet|geen)\\b.{0,60}(?:helpen|staat|toegang|openen|beantwoorden|leveren|voldoen|uitvoeren|verstrekken|maken)",
  "\\b(?:kan ik|kunnen we)\\b.{0,40}\\b(?:niet|geen)\\b.{0,40}(?:helpen|beantwoorden|leveren|voldoen|uitvoeren|openen)",
  // Polish
  "\\bnie (?:mogę|możemy|jestem w stanie|mam dostępu|mogłem|mogłam|udało mi się|potrafię)\\b",
  // Swedish, Danish, Norwegian
  "\\b(?:jag|jeg|vi) (?:kan|kunde|kunne|har) (?:tyvärr |desværre |dessverre )?(?:inte|ikke|ingen)\\b.{0,30}(?:hjälpa|hjelpe|hjælpe|tillgång|tilgang|adgang|svara|svare|utföra|utføre|udføre)",
  // Turkish
  "(?:yardımcı olam|yapam|erişem|yanıtlayam|sağlayam|tamamlayam)(?:ıyor|iyor|ayız|am\\b|az|ıyoruz|adım|edim)",
  // Russian, Ukrainian
  "(?:^|[^\\p{L}])(?:я|мы|ми)? ?(?:к сожалению,? )?(?:я |мы )?не (?:могу|можем|смог|смогла|смогли|имею доступа|имеем доступа|в состоянии|можу|можемо)",
  // Chinese
  "(?:我|我们|本助手|很?抱歉|对不起).{0,12}(?:无法|不能|没有办法|没法|不可以).{0,12}(?:帮|协助|提供|完成|访问|打开|回答|满足|处理|生成|执行|读取|获取|撰写|编写|写出|翻译|总结|计算|确定|查询)",
  "作为(?:一个|一名|一款)?.{0,4}(?:人工智能|语言模型|AI|ai)",
  "(?:截至|根据)我的(?:知识|训练|最后|最近).{0,8}(?:更新|截止|数据)",
  "我(?:目前|暂时)?(?:没有|缺乏|缺少)(?:足够的?|访问|任何|相关|实时).{0,10}(?:信息|数据|资料|权限|能力)",
  "(?:文本|文章|文件|文档|资料|表格)(?:中|里)?(?:没有|未|并未|并没有)(?:提供|提及|包含|说明)",
  // Japanese
  "(?:お手伝い|対応|提供|回答|お答え|アクセス|実行|ご要望|お応え|作成|支援|完了|執筆|書く|計算|翻訳|要約).{0,12}(?:できません|できかねます|いたしかねます|することができません|できないため)",
  "(?:AI|ai|人工知能|言語モデル|アシスタント)として",
  "私の(?:最終更新|最後の更新|知識|学習データ)",
  "(?:十分な|必要な|関連する)(?:情報|データ|資料)がない(?:ため|ので)",
  // Korean
  "(?:도와드릴|도움을 드릴|제공할|제공해 드릴|답변할|답변드릴|접근할|수행할|완료할|처리할) ?수(?:가)? ?없(?:습니다|어요|다)",
  // Arabic
  "(?:لا (?:أستطيع|يمكنني|نستطيع|يمكننا|أملك)|لم أتمكن|لست قادر)",
  // Hindi
  "(?:मैं|हम).{0,60}(?:नहीं कर सकता|नहीं कर सकती|नहीं कर सकते|असमर्थ|मदद नहीं|प्रदान नहीं|सक्षम नहीं)",
  // Indonesian, Vietnamese
  "\\b(?:saya|kami) tidak (?:dapat|bisa|mampu|memiliki akses)\\b.{0,30}(?:membantu|memberikan|menyelesaikan|mengakses|menjawab|memenuhi|ke)",
  "(?:tôi|chúng tôi) (?:không thể|không có quyền)",
];

/**
 * Sentences that come with a refusal and add nothing: apologies, requests for more material, offers
 * and referrals.
 */
const COURTESIES = [
  "\\b(?:you(?:'d| would| will|'ll)? need|would (?:be )?need(?:ed)?|would require|is (?:typically|usually|generally|normally) (?:found|reported|listed|disclosed|published)|can (?:typically|usually|normally|often) be found|publicly available)\\b",
  "^(?:lo siento|lamento|lamentablemente|por favor|si (?:me|puede)|désolée?|je suis désolée?|malheureusement|veuillez|n'hésitez|si vous|es tut mir|leider|entschuldigung|bitte|wenn sie|falls sie|gerne|desculpe|lamento|infelizmente|por favor|se (?:você|puder)|sinto muito)(?!\\p{L})",
  "(?:抱歉|对不起|请(?:您)?(?:提供|告诉|联系|咨询)|如果您|申し訳|恐れ入り|ご提供|ご了承|お知らせください|いただければ)",
  "^(?:unfortunately|regrettably|sadly|sorry|apologies|my apologies|i apologi[sz]e|we apologi[sz]e|thank you|thanks|hello|hi|dear|hey|i understand|we understand|i appreciate|i'm sorry|i am sorry|best regards|kind regards|note that i|i regret|we regret|i'm afraid)\\b",
  "\\b(?:please|kindly|could you|can you|would you|you (?:could|can|may|might want to|may want to|will need to|would need to|should)|i(?:'d| would)? (?:recommend|suggest|advise|encourage)|we(?:'d| would)? (?:recommend|suggest|advise)|it is recommended|feel free|it(?:'s| is) best) .{0,30}\\b(?:provide|share|paste|upload|send|supply|attach|clarify|specify|check|checking|consult|consulting|refer|referring|visit|visiting|contact|contacting|look|search|try|try again|rephrase|give me|let me|let us|reach|verify|see the|access)",
  "\\b(?:let (?:me|us) know|(?:happy|glad|pleased|delighted) to|feel free|is there (?:anything|something) else|i hope|any (?:other )?questions?)\\b",
  "^(?:if|once|when|should|as soon as|without|until|in order to|to (?:answer|complete|proceed|calculate|do so|provide|help|assist|get)|for (?:the )?(?:most|accurate|more|up-to-date|further|this))\\b.{0,120}\\b(?:you|i|we|provide|provided|information|details|data|access|consult|check|visit)\\b",
  "^(?:however|instead|that said),? (?:i|we) (?:can|could|would|will|am able|'d be)\\b.{0,80}(?:help|assist|try|if you|once|offer|general|guidance|discuss)",
  "\\b(?:more|additional|further|specific|the (?:necessary|required|missing|relevant)) (?:information|data|context|details|documents?)\\b.{0,40}\\b(?:needed|required|necessary|would help|is needed|are needed)",
];

/** A word boundary that, unlike `\b`, knows letters with accents. */
const BOUNDARY = "(?:(?<!\\p{L})(?=\\p{L})|(?<=\\p{L})(?!\\p{L}))";
/** The same before a letter. */
const WORD_START = "(?<!\\p{L})";

/**
 * Compiles one pattern that matches what any of `sources` does. Each source that begins with a
 * boundary must continue with a letter, so that the start of a word is looked for only once.
 */
function compile(sources: readonly string[]): RegExp {
  const isInner = (source: string) => source.startsWith("\\b");
  const inner = sources.filter(isInner).map((source) => source.slice(2));
  const others = sources.filter((source) => !isInner(source));
  const source = [`${WORD_START}(?:${inner.join("|")})`, ...others].join("|");
  return new RegExp(source.replaceAll("\\b", BOUNDARY), "iu");
}

/** Matches a sentence in which the author declines the work or reports not having done it. */
export const REFUSALS = compile([...ENGLISH, ...OTHER_LANGUAGES]);
/** Matches a sentence that says that the material lacks what is needed for an answer. */
export const MISSING_INFORMATION = compile(ENGLISH_MISSING);
export const COURTESY = compile(COURTESIES);
