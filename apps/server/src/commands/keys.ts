import type { showKey } from '@dragoman/accounts/admin'
import { CommandError, type AdminClient, type Command, type CommandContext } from './command.ts'
import { durationOf, KEY_OPTIONS, KEY_USAGE, keyBody, readArguments } from './key-options.ts'
import { tableOf } from './table.ts'

const JSON_OPTION = { json: { type: 'boolean' } } as const

type ShownKey = ReturnType<typeof showKey>

/** What the API answers about keys. */
interface Answer {
  readonly keys: readonly ShownKey[]
  readonly key: ShownKey
  readonly budgets: readonly object[]
  readonly secret: string
}

/** Commands about keys. */
export const KEY_COMMANDS: { readonly [name: string]: Command } = {
  list: {
    usage: '--owner OWNER --json',
    about: 'all keys',
    async run(args, { admin, write }) {
      const { values } = readArguments(args, { ...JSON_OPTION, owner: { type: 'string' } })
      const query = values.owner === undefined ? '' : `?${new URLSearchParams({ owner: values.owner })}`
      const { keys } = await ask(admin, 'GET', `/keys${query}`)
      write(values.json === true ? `${JSON.stringify(keys, null, 2)}\n` : tableOf([HEAD, ...keys.map(rowOf)]))
    },
  },
  create: {
    usage: KEY_USAGE,
    about: 'a new key; its secret is shown once',
    async run(args, context) {
      const { values } = readArguments(args, { ...JSON_OPTION, ...KEY_OPTIONS })
      const created = await ask(context.admin, 'POST', '/keys', keyBody(values, context.now()))
      showSecret(created, context, values.json)
    },
  },
  show: {
    usage: 'ID',
    about: 'one key and what it has spent',
    async run(args, { admin, write }) {
      const { key, budgets } = await ask(admin, 'GET', await pathOf(args, admin))
      write(`${JSON.stringify({ key, budgets }, null, 2)}\n`)
    },
  },
  change: {
    usage: `ID, and what changes (none removes it):\n    ${KEY_USAGE}`,
    about: 'other settings',
    async run(args, context) {
      const { values, positionals } = readArguments(args, KEY_OPTIONS)
      const path = await pathOf(positionals, context.admin)
      const changes = keyBody(values, context.now())
      if (Object.keys(changes).length === 0) throw new CommandError('Nothing is to be changed.')
      show(await ask(context.admin, 'PATCH', path, changes), context)
    },
  },
  rotate: {
    usage: 'ID --overlap 24h',
    about: 'a new secret; the old one is valid for the overlap, by default not at all',
    async run(args, context) {
      const { values, positionals } = readArguments(args, { ...JSON_OPTION, overlap: { type: 'string' } })
      const overlap = durationOf(values.overlap ?? '0s')
      if (overlap === undefined) throw new CommandError(`--overlap ${values.overlap} is not a duration (15m, 24h, 7d).`)
      const path = await pathOf(positionals, context.admin)
      const rotated = await ask(context.admin, 'POST', `${path}/rotate`, { overlapSeconds: overlap / 1000 })
      showSecret(rotated, context, values.json)
    },
  },
  disable: {
    usage: 'ID',
    about: 'refuse its calls until it is enabled',
    run: (args, context) => able(args, true, context),
  },
  enable: { usage: 'ID', about: 'accept its calls again', run: (args, context) => able(args, false, context) },
  revoke: {
    usage: 'ID',
    about: 'end it for good',
    async run(args, context) {
      show(await ask(context.admin, 'DELETE', await pathOf(args, context.admin)), context)
    },
  },
}

async function ask(admin: AdminClient, ...call: Parameters<AdminClient>): Promise<Answer> {
  return (await admin(...call)) as Answer // of the API
}

/** The path of a key by its id, or by its name if only one key has it. */
async function pathOf([given]: readonly string[], admin: AdminClient): Promise<string> {
  if (given === undefined) throw new CommandError('Name the key: its id or its name.')
  const { keys } = await ask(admin, 'GET', '/keys')
  const found = keys.filter(({ id, name }) => id === given || name === given)
  const [key] = found
  if (key === undefined) throw new CommandError(`There is no key "${given}".`)
  if (found.length > 1)
    throw new CommandError(`${found.length} keys have the name "${given}": use an id of "keys list".`)
  return `/keys/${encodeURIComponent(key.id)}`
}

async function able(args: readonly string[], disabled: boolean, context: CommandContext): Promise<void> {
  show(await ask(context.admin, 'PATCH', await pathOf(args, context.admin), { disabled }), context)
}

function show({ key }: Answer, { write }: CommandContext): void {
  write(tableOf([HEAD, rowOf(key)]))
}

function showSecret({ key, secret }: Answer, { write }: CommandContext, isJson = false): void {
  if (isJson) return write(`${JSON.stringify({ key, secret }, null, 2)}\n`)
  write(
    `${tableOf([HEAD, rowOf(key)])}\n${secret}\n\nThis secret is shown only now. Servers accept it within 5 seconds.\n`,
  )
}

const HEAD = ['id', 'name', 'hint', 'status', 'owner', 'scopes', 'models', 'limits', 'budgets', 'expires']

function rowOf(key: ShownKey): readonly string[] {
  const { requestsPerMinute, tokensPerMinute, concurrent } = key.limits
  const limits = [
    ...(requestsPerMinute === null ? [] : [`${requestsPerMinute} requests/min`]),
    ...(tokensPerMinute === null ? [] : [`${tokensPerMinute} tokens/min`]),
    ...(concurrent === null ? [] : [`${concurrent} at once`]),
  ]
  return [
    key.id,
    key.name,
    key.hint,
    key.status,
    key.owner ?? '-',
    key.scopes.join(','),
    key.models?.join(',') ?? 'all',
    limits.join(', ') || '-',
    Object.entries(key.budgets)
      .map(([period, dollars]) => `$${dollars}/${period}`)
      .join(' ') || '-',
    key.expiresAt?.slice(0, 10) ?? 'never',
  ]
}
