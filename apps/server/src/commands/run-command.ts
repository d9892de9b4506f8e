import type { Store } from '@dragoman/accounts'
import { createLocalClient, createRemoteClient } from './admin-client.ts'
import { CATALOGUE_COMMANDS } from './catalogue.ts'
import { CommandError, type Command, type CommandContext } from './command.ts'
import { KEY_COMMANDS } from './keys.ts'
import { audit, backup, exportRecords, record } from './records.ts'
import { usage } from './usage.ts'

/** Commands of two words. */
const GROUPS: { readonly [name: string]: { readonly [second: string]: Command } } = {
  keys: KEY_COMMANDS,
  catalogue: CATALOGUE_COMMANDS,
}
const COMMANDS: { readonly [name: string]: Command } = { usage, record, export: exportRecords, audit, backup }

export interface Terminal extends Omit<CommandContext, 'admin' | 'store'> {
  /** Opens the store of the configuration, once. */
  readonly store: () => Promise<Store>
  /** The key for the gateway that `--url` names. It is never an argument: other users can see arguments. */
  readonly adminKey: string | undefined
}

/** Runs `keys list`, `usage`, … Returns the exit code. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  complain: (text: string) => void,
): Promise<number> {
  try {
    const { url, others } = takeUrl(args)
    const [name = 'help', ...rest] = others
    if (['help', '--help', '-h'].includes(name) || rest.includes('--help')) {
      terminal.write(help())
      return 0
    }
    const { command, given } = find(name, rest)
    await command.run(given, contextOf(terminal, url))
    return 0
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    complain(`dragoman: ${error.message}\n`)
    return 2
  }
}

function contextOf({ store, adminKey, ...terminal }: Terminal, url: string | undefined): CommandContext {
  return url === undefined
    ? { ...terminal, store, admin: createLocalClient(store, terminal.now) }
    : { ...terminal, store: undefined, admin: createRemoteClient(url, adminKey) }
}

/** `--url` can be anywhere: every command has it. */
function takeUrl(args: readonly string[]): { readonly url: string | undefined; readonly others: readonly string[] } {
  const at = args.findIndex((text) => text === '--url' || text.startsWith('--url='))
  const text = args[at]
  if (text === undefined) return { url: undefined, others: args }
  const isApart = text === '--url'
  const url = isApart ? args[at + 1] : text.slice('--url='.length)
  if (url === undefined) throw new CommandError('--url needs the address of a gateway.')
  return { url, others: args.toSpliced(at, isApart ? 2 : 1) }
}

function find(name: string, rest: readonly string[]): { readonly command: Command; readonly given: readonly string[] } {
  const group = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined
  const [second = group?.['list'] === undefined ? '' : 'list', ...others] = rest
  const [command, given] = group === undefined ? [own(COMMANDS, name), rest] : [own(group, second), others]
  if (command !== undefined) return { command, given }
  const asked = group === undefined ? name : `${name} ${second}`.trim()
  throw new CommandError(`There is no command "${asked}". See: dragoman help`)
}

function own(commands: { readonly [name: string]: Command }, name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

function help(): string {
  const all = [
    ...Object.entries(GROUPS).flatMap(([group, commands]) =>
      Object.entries(commands).map(([name, command]) => [`${group} ${name}`, command] as const),
    ),
    ...Object.entries(COMMANDS),
  ]
  const lines = all.map(([name, { usage: text, about }]) => `  ${name.padEnd(12)}  ${about}\n    ${text}\n`)
  return `dragoman <command>\n\n${lines.join('')}${REMOTE}`
}

const REMOTE = `
  --url https://gateway.example
    with any command except backup and catalogue: works with that running gateway, with the admin key in DRAGOMAN_ADMIN_KEY, instead of the store
    of the configuration in this folder
`
