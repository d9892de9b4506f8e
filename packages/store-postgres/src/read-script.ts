import { readFileSync } from 'node:fs'

/** The files of this package in the languages of its databases. */
export type Script =
  | 'redis/bury.lua'
  | 'redis/decide.lua'
  | 'sql/batch-numbers.sql'
  | 'sql/functions.sql'
  | 'sql/raises.sql'
  | 'sql/settling.sql'
  | 'sql/tables.sql'

/** The text of a script. The build of the package replaces this module by one that contains the texts, so that a bundle needs no files. */
export function readScript(script: Script): string {
  return readFileSync(new URL(script, import.meta.url), 'utf8')
}
