import { expect, test } from "vitest";
import { REFUSAL } from "./refusal";

// cspell:disable

interface Language {
  name: string;
  task: string;
  /** In place of the work. */
  refusals: string[];
  /** Work that only sounds like a refusal. */
  work: string[];
  /** Tasks for which a refusal or a missing answer is the work. */
  wanted: [task: string, text: string][];
}

const LANGUAGES: Language[] = [
  {
    name: "English",
    task: "Write a short market overview of electric bikes in Denmark for our sales team.",
    refusals: [
      "I'm sorry, but I'm not able to write this overview because I have no access to current market data.",
      "I don't have access to real-time information, so I can't provide a reliable overview. Please check a market report.",
      "As of my last knowledge update, no figures on this were available. I'd recommend contacting the Danish trade association.",
      "This falls outside of what I can help with.",
      "I apologize, but providing this overview is beyond my capabilities.",
    ],
    work: [
      "Sales of electric bikes in Denmark grew for the sixth year in a row. Buyers who cannot charge at home choose models with a removable battery. Dealers are unable to get small frames before May.",
      "Demand is strong in Copenhagen. We could not find regional figures, so this overview stays with national ones. Retailers expect more cargo bikes, and leasing is growing fastest.",
    ],
    wanted: [
      [
        "Write a polite email that turns down the supplier's offer.",
        "Dear Mr Holm,\n\nUnfortunately we cannot accept your offer at this price.\n\nKind regards",
      ],
      [
        "Who signed the lease? If the text does not say, answer that it does not.",
        "The text does not state who signed the lease.",
      ],
    ],
  },
  {
    name: "Spanish",
    task: "Escribe un resumen breve del mercado de bicicletas eléctricas en Chile para el equipo de ventas.",
    refusals: [
      "Lo siento, pero no puedo escribir este resumen porque no tengo acceso a datos actualizados.",
      "No dispongo de información suficiente para elaborar el resumen. Por favor, consulte un informe del sector.",
      "Como modelo de lenguaje, no tengo la capacidad de consultar datos del mercado.",
      "Lamentablemente, no me es posible completar esta tarea.",
      "Hasta mi última actualización, no hay cifras disponibles sobre este mercado.",
    ],
    work: [
      "Las ventas crecieron por quinto año. Quien no puede cargar en casa prefiere una batería extraíble. Los distribuidores no pueden entregar tallas pequeñas antes de mayo.",
      "La demanda es fuerte en Santiago. No pudimos encontrar cifras regionales, así que el resumen usa las nacionales. El comercio espera más bicicletas de carga, y el alquiler crece más rápido.",
    ],
    wanted: [
      [
        "Redacta un correo para rechazar la oferta del proveedor.",
        "Estimado señor Rojas:\n\nLamentablemente no podemos aceptar su oferta.\n\nSaludos",
      ],
      [
        "¿Quién firmó el contrato? Si el texto no lo dice, indícalo.",
        "El texto no menciona quién firmó el contrato.",
      ],
    ],
  },
  {
    name: "French",
    task: "Rédige un bref aperçu du marché des vélos électriques en Belgique pour notre équipe commerciale.",
    refusals: [
      "Je suis désolé, mais je ne peux pas rédiger cet aperçu, car je n'ai pas accès à des données récentes.",
      "Je n'ai pas accès à Internet. Veuillez consulter un rapport du secteur.",
      "En tant que modèle de langage, je ne suis pas en mesure de fournir cet aperçu.",
      "Malheureusement, il m'est impossible de répondre à cette demande.",
      "À la date de ma dernière mise à jour, aucune donnée n'était disponible.",
    ],
    work: [
      "Les ventes progressent pour la cinquième année. Les acheteurs qui ne peuvent pas charger chez eux choisissent une batterie amovible. Les détaillants ne peuvent pas livrer de petits cadres avant mai.",
      "La demande est forte à Bruxelles. Nous n'avons pas trouvé de chiffres régionaux, cet aperçu s'en tient donc au pays. Les détaillants attendent plus de vélos cargo, et la location progresse le plus.",
    ],
    wanted: [
      [
        "Écris une lettre pour décliner l'offre du fournisseur.",
        "Madame,\n\nMalheureusement, nous ne pouvons pas accepter votre offre.\n\nCordialement",
      ],
      [
        "Qui a signé le bail ? Si le texte ne le précise pas, dis-le.",
        "Le texte ne précise pas qui a signé le bail.",
      ],
    ],
  },
  {
    name: "German",
    task: "Schreibe einen kurzen Überblick über den Markt für E-Bikes in Österreich für unser Verkaufsteam.",
    refusals: [
      "Es tut mir leid, aber ich kann diesen Überblick nicht schreiben, da ich keinen Zugriff auf aktuelle Daten habe.",
      "Leider ist es mir nicht möglich, diese Aufgabe zu erledigen.",
      "Als KI-Sprachmodell habe ich keinen Zugang zu Marktdaten. Bitte wenden Sie sich an einen Branchenverband.",
      "Mir liegen keine Informationen zu diesem Markt vor. Bitte stellen Sie die Daten bereit.",
      "Stand meines letzten Updates liegen mir dazu keine Zahlen vor.",
    ],
    work: [
      "Der Absatz wächst im fünften Jahr. Wer zu Hause nicht laden kann, wählt einen herausnehmbaren Akku. Händler können kleine Rahmen vor Mai nicht liefern.",
      "Die Nachfrage in Wien ist hoch. Regionale Zahlen konnten wir nicht finden, deshalb bleibt der Überblick bei denen des Landes. Der Handel erwartet mehr Lastenräder, und das Leasing wächst am schnellsten.",
    ],
    wanted: [
      [
        "Schreibe eine freundliche Absage an den Lieferanten.",
        "Sehr geehrte Frau Huber,\n\nleider können wir Ihr Angebot nicht annehmen.\n\nMit freundlichen Grüßen",
      ],
      [
        "Wer hat den Mietvertrag unterschrieben? Falls es nicht im Text steht, sage das.",
        "Der Text nennt nicht, wer den Mietvertrag unterschrieben hat.",
      ],
    ],
  },
  {
    name: "Portuguese",
    task: "Escreva um breve panorama do mercado de bicicletas elétricas em Portugal para a equipe de vendas.",
    refusals: [
      "Desculpe, mas não posso escrever este panorama, pois não tenho acesso a dados atualizados.",
      "Infelizmente, não é possível concluir esta tarefa.",
      "Como modelo de linguagem, não tenho a capacidade de consultar dados do mercado.",
      "Não disponho de informações suficientes para elaborar o panorama. Por favor, consulte um relatório do setor.",
      "Até a minha última atualização, não havia dados disponíveis.",
    ],
    work: [
      "As vendas crescem pelo quinto ano. Quem não pode carregar em casa prefere uma bateria removível. As lojas não conseguem entregar quadros pequenos antes de maio.",
      "A procura é forte em Lisboa. Não foi possível encontrar números regionais, por isso o panorama usa os nacionais. O comércio espera mais bicicletas de carga, e o aluguel cresce mais depressa.",
    ],
    wanted: [
      [
        "Escreva um e-mail para recusar a oferta do fornecedor.",
        "Prezado Sr. Lopes,\n\nInfelizmente, não podemos aceitar a sua oferta.\n\nAtenciosamente",
      ],
      [
        "Quem assinou o contrato? Se o texto não disser, informe isso.",
        "O texto não informa quem assinou o contrato.",
      ],
    ],
  },
  {
    name: "Chinese",
    task: "请为销售团队写一份关于丹麦电动自行车市场的简短概述。",
    refusals: [
      "很抱歉，我无法撰写这份概述，因为我没有访问最新数据的权限。",
      "作为一个人工智能语言模型，我无法获取实时市场信息。",
      "对不起，我不能完成这个任务。",
      "截至我的知识更新日期，没有相关数据。建议您查阅行业报告。",
      "我没有足够的信息来完成这份概述，请提供相关资料。",
    ],
    work: [
      "销量连续第五年增长。无法在家充电的买家更喜欢可拆卸电池。经销商在五月之前不能交付小尺寸车架。",
      "哥本哈根的需求旺盛。我们没有找到地区数据，因此本概述采用全国数据。零售商预计载货自行车会增加，租赁增长最快，电池价格继续下降。",
    ],
    wanted: [
      ["写一封邮件婉拒供应商的报价。", "李先生：\n\n很抱歉，我们无法接受您的报价。\n\n此致敬礼"],
      ["谁签署了租约？如果文中没有提到，请说明。", "文中没有提到谁签署了租约。"],
    ],
  },
  {
    name: "Japanese",
    task: "営業チームのために、デンマークの電動自転車市場の短い概要を書いてください。",
    refusals: [
      "申し訳ありませんが、最新のデータにアクセスできないため、この概要を作成することができません。",
      "AI言語モデルとして、リアルタイムの市場情報を提供することはできません。",
      "恐れ入りますが、このタスクを完了することはできません。",
      "私の最終更新時点では、この市場に関する情報はありません。業界団体にお問い合わせください。",
      "十分な情報がないため、概要を書くことができません。資料をご提供ください。",
    ],
    work: [
      "販売は五年連続で伸びている。自宅で充電できない購入者は取り外せる電池を選ぶ。販売店は五月まで小型のフレームを納品できない。",
      "コペンハーゲンの需要は強い。地域別の数字は見つからなかったため、この概要では全国の数字を使う。小売店は荷物用の自転車が増えると見ており、リースの伸びが最も大きい。",
    ],
    wanted: [
      [
        "仕入先の提案を断るメールを書いてください。",
        "山田様\n\n申し訳ございませんが、ご提案をお受けすることができません。\n\n敬具",
      ],
      [
        "誰が契約書に署名しましたか。記載がない場合はそう答えてください。",
        "資料には署名者が記載されていません。",
      ],
    ],
  },
];

const run = (task: string, text: string) =>
  REFUSAL.run({ task, category: "content", text }, {}).outcome;

test.each(
  LANGUAGES.flatMap(({ name, task, refusals }) => refusals.map((one) => [name, task, one])),
)("%s: finds a refusal: %s %s", (_, task, text) =>
  expect(run(task ?? "", text ?? "")).toBe("fail"),
);

test.each(LANGUAGES.flatMap(({ name, task, work }) => work.map((one) => [name, task, one])))(
  "%s: finds none in work: %s %s",
  (_, task, text) => expect(run(task ?? "", text ?? "")).toBe("pass"),
);

test.each(
  LANGUAGES.flatMap(({ name, wanted }) => wanted.map(([task, text]) => [name, task, text])),
)("%s: finds none if it was asked for: %s %s", (_, task, text) =>
  expect(run(task ?? "", text ?? "")).not.toBe("fail"),
);
