-- How tables are stored, where drizzle's schema can't say it.

-- Without a log, counting a request waits for no disk. A crash of PostgreSQL empties the table:
-- limits then count from zero.
ALTER TABLE rate_limit_windows SET UNLOGGED;
