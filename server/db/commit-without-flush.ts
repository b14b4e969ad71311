/**
 * An SQL condition that is true, and makes the transaction commit without waiting for the disk. Other
 * transactions see the changes at once, but a crash of Postgres may undo the last ones, up to a
 * second. Only for statements of their own whose changes no response promises.
 */
export const COMMIT_WITHOUT_FLUSH =
  "(select set_config('synchronous_commit', 'off', true)) is not null";
