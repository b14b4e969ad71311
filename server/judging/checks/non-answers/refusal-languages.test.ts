import { expect, test } from "vitest";
import { REFUSAL } from "./refusal";

// cspell:disable

interface Language {
  name: string;
  task: string;
  /** In place of the work. */
  refusals: string[];
  /** Work that only sounds like a refusal. */
  work: string;
  /** A task for which a refusal is the work. */
  wanted: [task: string, text: string];
}

const LANGUAGES: Language[] = [
  {
    name: "English",
    task: "Write a short market overview of electric bikes in Denmark for our sales team.",
    refusals: [
      "I'm sorry, but I'm not able to write this overview because I have no access to current market data.",
      "I don't have access to real-time information, so I can't provide a reliable overview. Please check a market report.",
      "As of my last knowledge update, no figures on this were available. I'd recommend contacting the Danish trade association.",
    ],
    work: "Demand is strong in Copenhagen. We could not find regional figures, so this overview stays with national ones. Retailers expect more cargo bikes, and leasing is growing fastest.",
    wanted: [
      "Write a polite email that turns down the supplier's offer.",
      "Dear Mr Holm,\n\nUnfortunately we cannot accept your offer at this price.\n\nKind regards",
    ],
  },
  {
    name: "Spanish",
    task: "Escribe un resumen breve del mercado de bicicletas eléctricas en Chile para el equipo de ventas.",
    refusals: [
      "Lo siento, pero no puedo escribir este resumen porque no tengo acceso a datos actualizados.",
      "No dispongo de información suficiente para elaborar el resumen. Por favor, consulte un informe del sector.",
      "Como modelo de lenguaje, no tengo la capacidad de consultar datos del mercado.",
    ],
    work: "La demanda es fuerte en Santiago. No pudimos encontrar cifras regionales, así que el resumen usa las nacionales. El comercio espera más bicicletas de carga, y el alquiler crece más rápido.",
    wanted: [
      "Redacta un correo para rechazar la oferta del proveedor.",
      "Estimado señor Rojas:\n\nLamentablemente no podemos aceptar su oferta.\n\nSaludos",
    ],
  },
  {
    name: "French",
    task: "Rédige un bref aperçu du marché des vélos électriques en Belgique pour notre équipe commerciale.",
    refusals: [
      "Je suis désolé, mais je ne peux pas rédiger cet aperçu, car je n'ai pas accès à des données récentes.",
      "Je n'ai pas accès à Internet. Veuillez consulter un rapport du secteur.",
      "En tant que modèle de langage, je ne suis pas en mesure de fournir cet aperçu.",
    ],
    work: "La demande est forte à Bruxelles. Nous n'avons pas trouvé de chiffres régionaux, cet aperçu s'en tient donc au pays. Les détaillants attendent plus de vélos cargo, et la location progresse le plus.",
    wanted: [
      "Écris une lettre pour décliner l'offre du fournisseur.",
      "Madame,\n\nMalheureusement, nous ne pouvons pas accepter votre offre.\n\nCordialement",
    ],
  },
  {
    name: "German",
    task: "Schreibe einen kurzen Überblick über den Markt für E-Bikes in Österreich für unser Verkaufsteam.",
    refusals: [
      "Es tut mir leid, aber ich kann diesen Überblick nicht schreiben, da ich keinen Zugriff auf aktuelle Daten habe.",
      "Leider ist es mir nicht möglich, diese Aufgabe zu erledigen.",
      "Als KI-Sprachmodell habe ich keinen Zugang zu Marktdaten. Bitte wenden Sie sich an einen Branchenverband.",
    ],
    work: "Die Nachfrage in Wien ist hoch. Regionale Zahlen konnten wir nicht finden, deshalb bleibt der Überblick bei denen des Landes. Der Handel erwartet mehr Lastenräder, und das Leasing wächst am schnellsten.",
    wanted: [
      "Schreibe eine freundliche Absage an den Lieferanten.",
      "Sehr geehrte Frau Huber,\n\nleider können wir Ihr Angebot nicht annehmen.\n\nMit freundlichen Grüßen",
    ],
  },
  {
    name: "Portuguese",
    task: "Escreva um breve panorama do mercado de bicicletas elétricas em Portugal para a equipe de vendas.",
    refusals: [
      "Desculpe, mas não posso escrever este panorama, pois não tenho acesso a dados atualizados.",
      "Infelizmente, não é possível concluir esta tarefa.",
      "Como modelo de linguagem, não tenho a capacidade de consultar dados do mercado.",
    ],
    work: "A procura é forte em Lisboa. Não foi possível encontrar números regionais, por isso o panorama usa os nacionais. O comércio espera mais bicicletas de carga, e o aluguel cresce mais depressa.",
    wanted: [
      "Escreva um e-mail para recusar a oferta do fornecedor.",
      "Prezado Sr. Lopes,\n\nInfelizmente, não podemos aceitar a sua oferta.\n\nAtenciosamente",
    ],
  },
  {
    name: "Chinese",
    task: "请为销售团队写一份关于丹麦电动自行车市场的简短概述。",
    refusals: [
      "很抱歉，我无法撰写这份概述，因为我没有访问最新数据的权限。",
      "作为一个人工智能语言模型，我无法获取实时市场信息。",
      "对不起，我不能完成这个任务。",
    ],
    work: "哥本哈根的需求旺盛。我们没有找到地区数据，因此本概述采用全国数据。零售商预计载货自行车会增加，租赁增长最快，电池价格继续下降。",
    wanted: [
      "写一封邮件婉拒供应商的报价。",
      "李先生：\n\n很抱歉，我们无法接受您的报价。\n\n此致敬礼",
    ],
  },
  {
    name: "Japanese",
    task: "営業チームのために、デンマークの電動自転車市場の短い概要を書いてください。",
    refusals: [
      "申し訳ありませんが、最新のデータにアクセスできないため、この概要を作成することができません。",
      "AI言語モデルとして、リアルタイムの市場情報を提供することはできません。",
      "恐れ入りますが、このタスクを完了することはできません。",
    ],
    work: "コペンハーゲンの需要は強い。地域別の数字は見つからなかったため、この概要では全国の数字を使う。小売店は荷物用の自転車が増えると見ており、リースの伸びが最も大きい。",
    wanted: [
      "仕入先の提案を断るメールを書いてください。",
      "山田様\n\n申し訳ございませんが、ご提案をお受けすることができません。\n\n敬具",
    ],
  },
];

const run = (task: string, text: string) =>
  REFUSAL.run({ task, category: "content", text }, {}).outcome;

test.each(LANGUAGES)(
  "$name: finds refusals, and none in work or if one was asked for",
  (language) => {
    for (const text of language.refusals) expect(run(language.task, text)).toBe("fail");
    expect(run(language.task, language.work)).toBe("pass");
    expect(run(...language.wanted)).not.toBe("fail");
  },
);
