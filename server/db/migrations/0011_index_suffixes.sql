-- The ends of the words of a case-folded text, so that the prefixes in an index of them are the parts
-- of words. Words are separated by ASCII characters other than letters and digits; parts of fewer than
-- three characters are left out, and none is indexed with more than 32. `filter.ts` splits a search
-- term in the same way.
CREATE FUNCTION explorer_suffixes(folded text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array(
    SELECT substr(word, at, 32)
    FROM (
      SELECT DISTINCT word
      FROM regexp_split_to_table(folded, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') AS word
    ) AS words, generate_series(1, length(word) - 2) AS at
  ))
$$;
--> statement-breakpoint
CREATE INDEX "explorer_suffixes" ON "explorer_entries" USING gin (explorer_suffixes(search_text)) WITH (fastupdate=false);--> statement-breakpoint
-- Without statistics every search is planned for a rare term, and an analysis does not compute the suffixes.
ALTER INDEX "explorer_suffixes" ALTER COLUMN 1 SET STATISTICS 0;
