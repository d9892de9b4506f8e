import { existsSync } from 'node:fs'
import type { Store } from '@dragoman/accounts'
import { CommandError, type Command } from './command.ts'
import { readArguments } from './key-options.ts'

const PAGE = 1000

/** `record`: one call. */
export const record: Command = {
  usage: 'ID',
  about: 'one call, by the id in its header x-request-id',
  async run([id = ''], { admin, write }) {
    const { record: found } = (await admin('GET', `/records/${encodeURIComponent(id)}`)) as { record: object } // of the API
    write(`${JSON.stringify(found, null, 2)}\n`)
  },
}

/** `export`: all records, so that another database or program can read them. */
export const exportRecords: Command = {
  usage: '--after ID > records.jsonl',
  about: 'all records as lines of JSON, oldest first',
  async run(args, { admin, write }) {
    const { values } = readArguments(args, { after: { type: 'string' } })
    let { after } = values
    for (;;) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(after === undefined ? {} : { after }) })
      const { records } = (await admin('GET', `/records?${query}`)) as { records: readonly { id: string }[] } // of the API
      write(records.map((each) => `${JSON.stringify(each)}\n`).join(''))
      after = records.at(-1)?.id ?? after
      if (records.length < PAGE) return
    }
  },
}

/** `audit`: what administrators have done. */
export const audit: Command = {
  usage: '--limit 50',
  about: 'what administrators have done, latest first, as lines of JSON',
  async run(args, { admin, write }) {
    const { values } = readArguments(args, { limit: { type: 'string' } })
    const limit = Number(values.limit ?? 50)
    if (!Number.isInteger(limit) || limit < 1) throw new CommandError('--limit must be a number.')
    let before: string | undefined
    for (let left = limit; left > 0; left -= PAGE) {
      const size = Math.min(PAGE, left)
      const query = new URLSearchParams({ limit: String(size), ...(before === undefined ? {} : { before }) })
      const { entries } = (await admin('GET', `/audit?${query}`)) as { entries: readonly { id: string }[] } // of the API
      write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      before = entries.at(-1)?.id
      if (entries.length < size) return
    }
  },
}

/** `backup`: a copy of the SQLite file. */
export const backup: Command = {
  usage: 'FILE',
  about: 'a copy of the SQLite database, while the server runs',
  async run([file], { store, write }) {
    if (file === undefined) throw new CommandError('Name the file of the copy.')
    if (store === undefined) throw new CommandError('A backup is made where the database is: leave --url out.')
    const opened = await store()
    if (!canBackUp(opened)) throw new CommandError(`There are better tools for ${opened.title}: pg_dump.`)
    if (existsSync(file)) throw new CommandError(`${file} exists already. Name a new file.`)
    await opened.backup(file)
    write(`${file} is a copy of ${opened.title}.\n`)
  },
}

function canBackUp(store: Store): store is Store & { backup(file: string): Promise<void> } {
  return 'backup' in store
}
