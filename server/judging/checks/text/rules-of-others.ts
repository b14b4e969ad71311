// Words and stems in patterns. cspell:ignore polic ificat ification critici categori organi summari analy annotat simplif adher satisf violat produc ignor entr ensur provid assum universit repl told

/** Replaces rules that are left out. */
const OMISSION = "…";
/** Names of the deliverable, whose rules do bind. */
const WORKS =
  "(?:(?:final|whole|entire|complete|short|first|second|new) )?(?:responses?|answers?|outputs?|reply|replies|texts?|essays?|story|stories|poems?|songs?|articles?|posts?|e-?mails?|letters?|summary|summaries|paragraphs?|sentences?|sections?|stanzas?|titles?|words?|report|document|deliverable|work|dialogue|speech|memo|requirements?|constraints?|rules?)";

/** Documents that hold rules, which a task may be about instead of being bound by them. */
const RULES =
  "(?:(?:system )?prompts?|instructions?|(?:style ?)?guide(?:line)?s?|rules?|polic(?:y|ies)|constraints?|briefs?|spec(?:ification)?s?|requirements?|assignments?|system messages?|terms(?= (?:of|and))|clauses?|sections?|checklists?|rubrics?|tickets?|feedback|conventions?|standards?|contracts?|codes? of conduct|regulations?|manuals?|notes?|criteria|bylaws|statutes?|charters?)";
const DETERMINER =
  "(?:the|this|these|that|those|its|each|every|our|my|their|his|her|your|which|following|below|above|an?|two|all)";

/** Verbs of tasks that treat a document as their subject. */
const TREATS =
  "(?:review|critique|critici[sz]e|evaluate|assess|analy[sz]e|explain(?:s|ing)?|describe|summari[sz]e|translate|rewrite|reword|rephrase|improve|compare|classify|categori[sz]e|identify|list|find|discuss|judge|rate|rank|diagnose|debug|simplify|edit|proofread|correct|paraphrase|interpret|annotate|turn|convert|transform|reformat|expand|polish|organi[sz]e|comment on|check|spot|shorten|enforces?|implements?|suggest|(?:item|example|test|question)s? for)";
/** Words between such a verb and the document that make the document binding. */
const BINDS =
  "\\b(?:follow(?:s|ing)? (?:the|these|this|our|my|all|every)|according|accordance|adher\\w+|comply\\w*|complies|obey\\w*|respect\\w*|per|in line|meets?|satisf\\w+|under|using|so that|to (?:fit|match|suit)|with these|within)\\b";
const TREATED = new RegExp(
  `\\b${TREATS}\\b(?:(?!${BINDS})[^.:;!?\\n]){0,80}?\\b${DETERMINER} (?:[a-z'’-]+ ){0,4}?(?<noun>${RULES})\\b|\\bwhether\\b[^.;\\n]{0,60}\\b(?:follow|obey|meet|satisf|respect|violat|break)\\w* ${DETERMINER} (?<judged>${RULES})\\b`,
  "gi",
);
const QUESTIONED = new RegExp(
  `(?:^|[.!:;]\\s+|,\\s)(?:and |so |but )?(?:what|which|why|how|does|did|do|is|are)\\b(?:(?!\\b(?:i|we) (?:should|must|need)\\b)[^.:\\n?]){0,100}?\\b(?<noun>${RULES})\\b[^.\\n?]{0,100}\\?`,
  "gim",
);
/** Compares or grades answers of others to an instruction. */
const COMPARES =
  /\bwhich (?:response|answer|output|reply|completion)s? (?:is|are|follows?|does|best|better)\b|^(?:response|answer|output|completion|assistant) [AB12]\b ?:|\b(?:rate|grade|score|evaluate|judge|assess|decide|check)\b[^.\n]{0,40}\b(?:following|this|these|given|below)\b[^.\n]{0,30}\b(?:outputs?|responses?|answers?|completions?|repl(?:y|ies)|submissions?|conversations?|dialogues?)\b/im;

/** Reports what a document demands: "our old prompt was", "the brief read". */
const REPORTS = new RegExp(
  `\\b(?:(?:the|this|these|that|those|our|my|your|their|his|her|its|an?|[a-z]+['’]s?) (?:[\\w'’-]+ ){0,4}?${RULES}\\b(?! (?:you|that you|below|for (?:this|your))\\b)[^.:;?!]{0,60}?\\b(?:said|say|was|were|read|reads|says|states?|stated|required?|requires|asks?|asked|told|contains?|contained|demand(?:s|ed)?|prohibits?|prescribes?|forbids?|insists?|specif(?:y|ies|ied))\\b|(?:old|previous|earlier|original|last|former|current|existing|competitors?['’]s?|clients?['’]s?|bots?['’]s?|teachers?['’]s?|journals?['’]s?|their|his|her) (?:[\\w'’-]+ ){0,3}?${RULES}\\b[^.:;?!]{0,40}(?:\\b(?:is|are)\\b|:)|\\b[a-z]+['’]s (?:[a-z]+ ){0,2}(?:notes?|feedback|comments?|requests?|homework|e-?mail|message)\\b[^.:;?!]{0,40}:)`,
  "i",
);
const VERBS_OF_RULE =
  "(?:ask(?:s|ed)?|told|tells?|said|says?|accepts?|limits?|limited|forbids?|forbade|allows?|requires?|required|demand(?:s|ed)?|ban(?:s|ned)?|flags?|rejects?|permits?|prohibits?|decreed?|insist(?:s|ed)?|avoids?|instruct(?:s|ed)?|order(?:s|ed)?|complain(?:s|ed)?|commented|replied|wrote|warn(?:s|ed)?|expects?|taught)";
/** Reports what people, organisations or programs demand or do. */
const DEMANDED_BY_OTHERS = new RegExp(
  [
    "\\b(?:was|were|been) (?:given|told|instructed|asked|ordered)\\b",
    `^(?:[a-z ]{0,20}, )?(?:my|our|the|an?|his|her|their|this|that|some|most|many) (?!(?:${WORKS}) )(?:[a-z'’-]+ ){1,4}?(?:only |always |also |often |never )?${VERBS_OF_RULE}\\b(?! (?:you|that you)\\b)`,
    `^(?:we|i|he|she|they) (?:[a-z]+ly |always |once |only |just )?(?:have |has |had )?${VERBS_OF_RULE}\\b(?! (?:you|for|that you)\\b)`,
    "^according to\\b[^.]{0,80}\\b(?:must|shall|should|may not|are to)\\b",
    "\\b(?:asked for|wanted|demanded):",
    `^(?:interview|survey|exam|quiz|test) question:`,
  ].join("|"),
  "i",
);
/** States a fact about another text rather than a demand. */
const STATES_FACT = new RegExp(
  [
    `^(?:our|my|their|his|her|its|the|some|most|many|an?|this|that|[a-z]+['’]s) (?!(?:${WORKS}) )(?:[a-z'’-]+ ){1,6}?(?:(?:(?:has|have|had) (?:always |never |already |so far |long |recently |usually )*been|was|were)\\b|keeps? (?:answer|writ|us|produc|return|ignor|add)\\w*|used to\\b)(?![^.]*\\b(?:must|please|should|make sure|write (?:an?|about)|use no)\\b)`,
    `^(?!(?:${WORKS}|always|this|perhaps|sometimes|besides|paragraphs|bullets|headings|lines|items|steps|names|thus|as|has|does|is) )[a-z]{3,20}s (?:avoid|use|contain|consist|have|never|always|usually)\\b(?![^.]*\\b(?:must|please|should|write|describe|explain)\\b)`,
  ].join("|"),
  "i",
);
/** Asks for an opinion: "Should essays be limited to 500 words?" */
const ASKS_OPINION =
  /^(?:[a-z]{3,12}: )?(?:should|must|do|does|did|is|are|was|were) (?!(?:you|we|i|it possible|there (?:a|any) way)\b)[^?]{3,300}\?$|^which (?:is|are|of|one)\b[^?]{3,300}\?$/i;
/** The subject of a rule for many texts, unless the task requests such texts. */
const MANY_TEXTS =
  /^(?:(?<single>(?:every|each|any|no) )|(?:the |our |all )?)(?:[a-z-]+ )?(?<noun>post|entr|commit message|cover letter|label|tooltip|proposal|application|bid|error message|submission|abstract|ticket|page|comment)(?<plural>s|ies)?y? (?:must|should|shall|may|can|cannot|has to|have to|needs? to|in|over)\b/i;

/** Returns whether a sentence reports rules that do not bind the deliverable. */
export const reportsRules = (sentence: string): boolean =>
  REPORTS.test(sentence) ||
  DEMANDED_BY_OTHERS.test(sentence) ||
  STATES_FACT.test(sentence) ||
  ASKS_OPINION.test(sentence);

const REQUESTS =
  /\b(?:write|draft|create|compose|prepare|produce|generate|give|need|make|suggest|provide|rewrite|propose)\b[^.;:\n]{0,60}/gi;
const MAX_REQUESTS = 50;

/** Returns what a task requests to be written, as far as it is near the verb. */
export const listRequests = (task: string): string =>
  (task.match(REQUESTS) ?? []).slice(0, MAX_REQUESTS).join("\n").toLowerCase();

/** Returns whether a sentence is a rule for many texts that are not among those requested. */
export function rulesOtherTexts(sentence: string, requests: string): boolean {
  const { noun, single, plural } = MANY_TEXTS.exec(sentence)?.groups ?? {};
  return Boolean(noun && (single ?? plural) && !requests.includes(noun.toLowerCase()));
}

/** Introduces what the requested work says: "telling them that letters must …". */
const SAYS_IN_WORK =
  /\b(?:explain|tell|say|state|announce|inform|remind|warn|ask|request|insist|argue|claim|demand|recommend|(?!ensur|mak|keep|provid|assum|not|remember|mean)[a-z]{3,12}ing)(?:s|es|ing)?\b[^.;:]{0,60}?\b(?:that|why|how)\b[^.;]{0,80}?\b(?:must|should|shall|has to|have to|needs? to|insists?|cannot|may not)\b.*$/i;
/** What people in or around the work are to write or say: "players must describe", "no one may". */
const PEOPLE_ACT =
  // cspell:disable-next-line
  /\b(?:players?|students?|pupils|children|participants?|guests?|users?|employees|applicants?|candidates|contestants?|characters?|visitors?|members?|agents?|interns?|contributors?|writers|authors|people|they|he|she|who) (?:must|should|shall|have to|has to|needs? to|may|can|cannot|are to|is to|will|always|never|only) (?:only |never |always |not )?(?:write|speak|answer|reply|respond|describe|say|recite|sing|type|submit|uses more)s?\b.*$|\b(?:no one|nobody|everyone|everybody|anyone|who) (?:may|must|can|should|shall|is allowed|never|always|only)\b.*$/i;
/** Requests a text that gives rules to others, up to these rules. */
const RULES_IN_WORK =
  /\b(?:write|draft|create|design|generate|compose|produce|craft|develop|suggest|give me|make)\b[^.:;]{0,40}\b(?:prompts?|guidelines?|instructions|rules|polic(?:y|ies)|style guides?|validators?|assignments?|rubrics?|checklists?|documentation|contracts?|clauses?|linters?|hooks?|chatbots?|bots?)\b(?:[^.:;]{0,60}?\b(?:that|which|whose)\b(?! (?:is|are|has|have|contains?|includes?|uses?|consists?|fits?|covers?|does not exceed|must|should|starts?|ends?|begins?|mentions?|you)\b)|[^.:;]{0,60}?\b(?:asking|telling|saying|requiring|such as)\b|(?:(?!\b(?:following|constraints?|requirements?|format|rules)\b)[^.:;]){0,60}:(?= )).*$/i;

/** Replaces the rules that a sentence reports or that the requested work is to state. */
export const cutRulesInWork = (sentence: string): string =>
  sentence
    .replace(RULES_IN_WORK, cutAfterLead)
    .replace(SAYS_IN_WORK, cutAfterLead)
    .replace(PEOPLE_ACT, OMISSION);

const cutAfterLead = (part: string): string =>
  `${/^.*?\b(?:that|which|whose|why|how|asking|telling|saying|requiring|such as)\b|^[^:]*:/i.exec(part)?.[0] ?? ""} ${OMISSION}`;

/** A line of a conversation of others. */
const TURN =
  /^\W{0,4}(?<role>system|user|human|assistant|bot|ai|chatbot|model|agent|customer|support)\b(?: ?\(?\d\)?)?\W{0,3}:/i;
/** Documents that a task hands over with "here is". */
const HANDED_OVER =
  /\b(?:here(?: is|['’]s)|below is|this is|i found|we have)\b[^.:]{0,40}\b(?:(?:system )?prompts?|tickets?|issues?|clauses?|polic(?:y|ies)|style ?guides?|contracts?|user stor(?:y|ies)|specs?)\b[^.:]{0,60}:$|\b(?:e-?mail|message|note|feedback|request|comment|letter) from (?:[a-z]+ )?[a-z]+:$|^(?:sample|example|model) (?:output|response|answer|reply|input|prompt)s?:$/i;
/** A block that turns from the rules of others to the requester's own words. */
const RESUMES =
  /^\W{0,4}(?:(?:please|now|then|so|and|finally|also),? )?(?:(?:can|could|would) you|explain|tell|identify|suggest|describe|summari[sz]e|review|critique|analy[sz]e|compare|discuss|classify|why|what|which|who|how|does|did|evaluate|assess|improve|translate|draft|write (?:an?|the|me|my|our|two|three) |give me|find|rate|your (?:[a-z]+ ){0,2}(?:answer|response|reply|output|summary|text|rewrite|translation|analysis|feedback)|i (?:want|need|think|would)|the above|based on|in your (?:answer|response|reply)|the (?:answer|response|reply) |(?:tasks?|questions?)\b.{0,12}:|answer|respond)/i;
/** The same in a task that has said before what to do: a prompt may ask to write something. */
const RESUMES_AFTER_REQUEST =
  /^\W{0,4}(?:(?:please|now|finally|also),? )?(?:(?:can|could|would) you|explain|tell me|identify|suggest|discuss|why|what|which|how|does|did|your (?:[a-z]+ ){0,2}(?:answer|response|reply|output|summary|rewrite|translation|analysis|feedback)|i (?:want|need|think|would)|the above|in your (?:answer|response|reply|analysis|review)|(?:tasks?|questions?)\b.{0,12}:)/i;

/**
 * Leaves out the lines of a task that hold rules of others: a prompt or a style guide to be
 * reviewed, a conversation, a client's e-mail. Keeps the lines that introduce them.
 */
export function omitRulesOfOthers(text: string): string {
  const subjects = findSubjects(text);
  const lines = text.split("\n");
  const roles = new Set(lines.map((line) => TURN.exec(line)?.groups?.role?.toLowerCase()));
  roles.delete(undefined);
  const kept: string[] = [];
  let isOmitted = false;
  // The first block after a lead is always left out.
  let isLedIn = false;
  let hasRequest = false;
  let isBlockStart = true;
  for (const [index, line] of lines.entries()) {
    const isBlank = line.trim() === "";
    if (isOmitted && isBlockStart && !isBlank && !isLedIn)
      isOmitted = !(hasRequest ? RESUMES_AFTER_REQUEST : RESUMES).test(line);
    if (!isBlank) isLedIn = false;
    if (roles.size > 1 && TURN.test(line)) isOmitted = true;
    if (isBlank || !isOmitted) {
      const following = lines[index + 1]?.trim() || lines[index + 2];
      const lead = isBlank ? null : findLead(line, subjects, following);
      kept.push(lead === null ? line : lead + resumeInLine(line.slice(lead.length), hasRequest));
      if (lead !== null && lead.length >= line.trimEnd().length) {
        isOmitted = true;
        isLedIn = true;
      } else if (!isBlank) {
        hasRequest ||= new RegExp(`^\\W{0,4}(?:please )?${TREATS}\\b`, "i").test(line);
      }
    }
    isBlockStart = isBlank;
  }
  return kept.join("\n");
}

/** Returns the sentences after rules of others in the same line that turn to the requester's own words. */
function resumeInLine(rest: string, hasRequest: boolean): string {
  const after = rest.replace(/^\s*(?:"[^"]{1,2000}"|“[^“”]{1,2000}”)/, "");
  if (after !== rest) return after;
  const sentences = rest.split(/(?<=[.!?]["”)]?)\s+(?=[A-Z])/);
  const resumes = hasRequest ? RESUMES_AFTER_REQUEST : RESUMES;
  const from = sentences.findIndex(
    (sentence, index) => index > 0 && (resumes.test(sentence) || OWN_WORDS.test(sentence)),
  );
  return from < 0 ? "" : ` ${OMISSION} ${sentences.slice(from).join(" ")}`;
}
const OWN_WORDS = /^(?:please )?(?:keep|make|limit) (?:it|your)\b/i;

/** Returns the documents that the task is about, as their nouns without plural. */
function findSubjects(text: string): Set<string> {
  const nouns = [...text.matchAll(TREATED), ...text.matchAll(QUESTIONED)].map(
    ({ groups }) => groups?.noun ?? groups?.judged ?? "",
  );
  if (COMPARES.test(text)) nouns.push("prompt", "instruction", "response", "question");
  return new Set(nouns.map(toStem));
}

const toStem = (noun: string): string =>
  noun
    .toLowerCase()
    .replace(/^(?:system|style) ?/, "")
    .replace(/ies$/, "y")
    .replace(/s$/, "");

const isMarked = (line: string): boolean => /^\s*(?:[-*•]|\d{1,2}[.)])\s/.test(line);
const NOUNS = new RegExp(`\\b${RULES}\\b`, "gi");

/**
 * Returns the part of a line that introduces rules of others, up to its colon; the whole line if the
 * rules follow below; null if it introduces none.
 */
function findLead(line: string, subjects: ReadonlySet<string>, following = ""): string | null {
  const start = line.slice(0, 400);
  const names = (part: string) =>
    (part.match(NOUNS) ?? []).some((noun) => subjects.has(toStem(noun)));
  const bare = start.replace(/^[\s#>*_-]+|[\s*_:]+$/g, "");
  const isHeading = bare !== "" && bare.split(/\s+/).length <= 5 && !/[.!?,;:]/.test(bare);
  if (isHeading && line.length < 100 && names(bare) && !/^[-*]\s/.test(start.trimStart()))
    return line.trimEnd();
  const colon = /:(?=\s|$)/.exec(start);
  const lead = colon ? start.slice(0, colon.index + 1) : start;
  const sentence = lead.split(/(?<=[.!?])\s+/).at(-1) ?? lead;
  if (!colon) {
    const isReport = /\b(?:as follows|below)\.$/.test(lead) && REPORTS.test(sentence);
    const isList = isMarked(following) && /\bbelow\b/.test(start) && names(start);
    return isReport || isList ? line : null;
  }
  if (BINDING.test(sentence)) return null;
  return REPORTS.test(sentence) || HANDED_OVER.test(sentence) || names(sentence) ? lead : null;
}

/** Makes the rules after a colon binding: "Follow our style guide:". */
const BINDING =
  /\b(?:follow|obey|respect|adhere|stick|comply|apply|observe|according|accordance|per|satisf(?:y|ies)|meets?|keep to|conform\w*|your (?:answer|response|reply|output|text)|requirements|must|should)\b/i;
