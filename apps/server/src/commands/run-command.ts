import { AdminError } from '@dragoman/accounts/admin'
import { CommandError, type Command, type CommandContext } from './command.ts'
import { KEY_COMMANDS } from './keys.ts'
import { audit, backup, exportRecords, record } from './records.ts'
import { usage } from './usage.ts'

const COMMANDS: { readonly [name: string]: Command } = { usage, record, export: exportRecords, audit, backup }

/** Runs `keys list`, `usage`, … Returns the exit code. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
  complain: (text: string) => void,
): Promise<number> {
  const [name = 'help', ...rest] = args
  if (['help', '--help', '-h'].includes(name) || rest.includes('--help')) {
    context.write(help())
    return 0
  }
  try {
    const { command, given } = find(name, rest)
    await command.run(given, context)
    return 0
  } catch (error) {
    if (!(error instanceof CommandError) && !(error instanceof AdminError)) throw error
    complain(`dragoman: ${error.message}\n`)
    return 2
  }
}

function find(name: string, rest: readonly string[]): { readonly command: Command; readonly given: readonly string[] } {
  const [second = 'list', ...others] = rest
  const [command, given] = name === 'keys' ? [own(KEY_COMMANDS, second), others] : [own(COMMANDS, name), rest]
  if (command !== undefined) return { command, given }
  const asked = name === 'keys' ? `keys ${second}` : name
  throw new CommandError(`There is no command "${asked}". See: dragoman help`)
}

function own(commands: { readonly [name: string]: Command }, name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

function help(): string {
  const all = [
    ...Object.entries(KEY_COMMANDS).map(([name, command]) => [`keys ${name}`, command] as const),
    ...Object.entries(COMMANDS),
  ]
  const lines = all.map(([name, { usage: text, about }]) => `  ${name.padEnd(12)}  ${about}\n    ${text}\n`)
  return `dragoman <command>\n\n${lines.join('')}`
}
