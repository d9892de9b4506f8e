import { createKeyManager, type ChangedKey, type KeyManager, type NewSecret, type StoredKey } from '@dragoman/accounts'
import { changedSettings, newSettings, showBalance, showKey } from '@dragoman/accounts/admin'
import { CommandError, type Command, type CommandContext } from './command.ts'
import { durationOf, KEY_OPTIONS, KEY_USAGE, keyBody, readArguments } from './key-options.ts'
import { tableOf } from './table.ts'

const TERMINAL = { id: 'terminal', address: '' }
const JSON_OPTION = { json: { type: 'boolean' } } as const

/** Commands about keys. They write to the store itself, so they also work while no server runs. */
export const KEY_COMMANDS: { readonly [name: string]: Command } = {
  list: {
    usage: '--owner OWNER --json',
    about: 'all keys',
    async run(args, context) {
      const { values } = readArguments(args, { ...JSON_OPTION, owner: { type: 'string' } })
      const keys = (await (await managerOf(context)).list()).filter(
        ({ owner }) => values.owner === undefined || owner === values.owner,
      )
      const shown = keys.map((key) => showKey(key, context.now()))
      if (values.json === true) return context.write(`${JSON.stringify(shown, null, 2)}\n`)
      context.write(tableOf([HEAD, ...shown.map(rowOf)]))
    },
  },
  create: {
    usage: KEY_USAGE,
    about: 'a new key; its secret is shown once',
    async run(args, context) {
      const { values } = readArguments(args, { ...JSON_OPTION, ...KEY_OPTIONS })
      const manager = await managerOf(context)
      showSecret(await manager.create(newSettings(keyBody(values, context.now())), TERMINAL), context, values.json)
    },
  },
  show: {
    usage: 'ID',
    about: 'one key and what it has spent',
    async run(args, context) {
      const key = await keyOf(args, context)
      const balances = await (await context.store()).balances(key.id)
      const budgets = balances.map((balance) => showBalance(balance, key))
      context.write(`${JSON.stringify({ key: showKey(key, context.now()), budgets }, null, 2)}\n`)
    },
  },
  change: {
    usage: `ID, and what changes (none removes it):\n    ${KEY_USAGE}`,
    about: 'other settings',
    async run(args, context) {
      const { values, positionals } = readArguments(args, KEY_OPTIONS)
      const key = await keyOf(positionals, context)
      const changes = changedSettings(key, keyBody(values, context.now()))
      if (Object.keys(changes).length === 0) throw new CommandError('Nothing is to be changed.')
      show(await (await managerOf(context)).change(key.id, changes, TERMINAL), context)
    },
  },
  rotate: {
    usage: 'ID --overlap 24h',
    about: 'a new secret; the old one is valid for the overlap, by default not at all',
    async run(args, context) {
      const { values, positionals } = readArguments(args, { ...JSON_OPTION, overlap: { type: 'string' } })
      const overlap = durationOf(values.overlap ?? '0s')
      if (overlap === undefined) throw new CommandError(`--overlap ${values.overlap} is not a duration (15m, 24h, 7d).`)
      const key = await keyOf(positionals, context)
      showSecret(present(await (await managerOf(context)).rotate(key.id, overlap, TERMINAL)), context, values.json)
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
      const key = await keyOf(args, context)
      show(await (await managerOf(context)).revoke(key.id, TERMINAL), context)
    },
  },
}

async function managerOf({ store, now }: CommandContext): Promise<KeyManager> {
  return createKeyManager(await store(), { now })
}

/** A key by its id, or by its name if only one key has it. */
async function keyOf([given]: readonly string[], context: CommandContext): Promise<StoredKey> {
  if (given === undefined) throw new CommandError('Name the key: its id or its name.')
  const keys = await (await managerOf(context)).list()
  const found = keys.filter(({ id, name }) => id === given || name === given)
  const [key] = found
  if (key === undefined) throw new CommandError(`There is no key "${given}".`)
  if (found.length > 1)
    throw new CommandError(`${found.length} keys have the name "${given}": use an id of "keys list".`)
  return key
}

async function able(args: readonly string[], disabled: boolean, context: CommandContext): Promise<void> {
  const key = await keyOf(args, context)
  show(await (await managerOf(context)).change(key.id, { disabled }, TERMINAL), context)
}

function present<T extends StoredKey | NewSecret>(changed: T | Extract<ChangedKey, string>): T {
  if (changed === 'unknown') throw new CommandError('There is no such key.')
  if (changed === 'revoked') throw new CommandError('This key is revoked, which cannot be undone.')
  return changed
}

function show(changed: ChangedKey, { write, now }: CommandContext): void {
  write(tableOf([HEAD, rowOf(showKey(present(changed), now()))]))
}

function showSecret({ key, secret }: NewSecret, { write, now }: CommandContext, isJson = false): void {
  const shown = showKey(key, now())
  if (isJson) return write(`${JSON.stringify({ key: shown, secret }, null, 2)}\n`)
  write(
    `${tableOf([HEAD, rowOf(shown)])}\n${secret}\n\nThis secret is shown only now. Servers accept it within 5 seconds.\n`,
  )
}

const HEAD = ['id', 'name', 'hint', 'status', 'owner', 'scopes', 'models', 'limits', 'budgets', 'expires']

function rowOf(key: ReturnType<typeof showKey>): readonly string[] {
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
