import type { Store } from '@dragoman/accounts'
import { showAudit, showRecord } from '@dragoman/accounts/admin'
import { CommandError, type Command } from './command.ts'
import { readArguments } from './key-options.ts'

const PAGE = 1000

/** `record`: one call. */
export const record: Command = {
  usage: 'ID',
  about: 'one call, by the id in its header x-request-id',
  async run([id = ''], { store, write }) {
    const found = await (await store()).record(id.replace(/^req_/, ''))
    if (found === undefined) throw new CommandError(`There is no record of "${id}": unknown, still running, or pruned.`)
    write(`${JSON.stringify(showRecord(found), null, 2)}\n`)
  },
}

/** `export`: all records, so that another database or program can read them. */
export const exportRecords: Command = {
  usage: '--after ID > records.jsonl',
  about: 'all records as lines of JSON, oldest first',
  async run(args, { store, write }) {
    const { values } = readArguments(args, { after: { type: 'string' } })
    const opened = await store()
    let after = (values.after ?? '').replace(/^req_/, '')
    for (;;) {
      const page = await opened.records(after, PAGE)
      write(page.map((each) => `${JSON.stringify(showRecord(each))}\n`).join(''))
      after = page.at(-1)?.id ?? after
      if (page.length < PAGE) return
    }
  },
}

/** `audit`: what administrators have done. */
export const audit: Command = {
  usage: '--limit 50',
  about: 'what administrators have done, latest first, as lines of JSON',
  async run(args, { store, write }) {
    const { values } = readArguments(args, { limit: { type: 'string' } })
    const limit = Number(values.limit ?? 50)
    if (!Number.isInteger(limit) || limit < 1) throw new CommandError('--limit must be a number.')
    const entries = await (await store()).audits(undefined, limit)
    write(entries.map((entry) => `${JSON.stringify(showAudit(entry))}\n`).join(''))
  },
}

/** `backup`: a copy of the whole database, while it is used. */
export const backup: Command = {
  usage: 'FILE',
  about: 'a copy of the SQLite database, while the server runs',
  async run([file], { store, write }) {
    if (file === undefined) throw new CommandError('Name the file of the copy.')
    const opened = await store()
    if (!canBackUp(opened)) throw new CommandError(`There are better tools for ${opened.title}: pg_dump.`)
    await opened.backup(file)
    write(`${file} is a copy of ${opened.title}.\n`)
  },
}

function canBackUp(store: Store): store is Store & { backup(file: string): Promise<void> } {
  return 'backup' in store
}
