const FIRST =
  "audit,bridge,cargo,code,contract,data,defect,estate,freight,grain,harbor,invoice,kernel,ledger,market,model,onboard,parcel,policy,portal,pricing,query,signal,transit".split(
    ",",
  );
const SECOND =
  "archive,bench,board,cast,check,desk,draft,forge,gauge,guard,index,line,map,note,path,proof,relay,review,scope,scout,sheet,stack,watch,work".split(
    ",",
  );

/**
 * The vocabulary of seeded names and descriptions: 576 compounds in an order without neighbors that
 * share a part. Word `r` is drawn with a probability proportional to 1/r, as in natural text, so that
 * terms of every frequency can be searched for.
 */
export const VOCABULARY = Array.from({ length: FIRST.length * SECOND.length }, (_, place) => {
  const first = FIRST[place % FIRST.length];
  const second = SECOND[(place + Math.floor(place / FIRST.length)) % SECOND.length];
  return `${first}${second}`;
});
