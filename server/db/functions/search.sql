-- The ends of the words of a case-folded text, so that the prefixes in an index of them are the parts
-- of words. Words are separated by ASCII characters other than letters and digits; parts of fewer than
-- three characters are left out, and none is indexed with more than 32. `search-term.ts` splits a search
-- term in the same way. The index `explorer_suffixes` has its results: a migration that rebuilds the
-- index must come with a change.
CREATE OR REPLACE FUNCTION explorer_suffixes(folded text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array(
    SELECT substr(word, at, 32)
    FROM (
      SELECT DISTINCT word
      FROM regexp_split_to_table(folded, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') AS word
    ) AS words, generate_series(1, length(word) - 2) AS at
  ))
$$;
