/** Table of a numbered database with the company it belongs to. Never part of a backup, so a restore doesn't change it. */
export const OWNER_TABLE = "directory_owner";
