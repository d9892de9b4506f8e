import { readFileSync, writeFileSync } from 'node:fs'
import { DragomanError } from '@dragoman/core'
import {
  createCatalogueKeys,
  isEnvelope,
  openCatalogue,
  readCatalogue,
  readCatalogueKey,
  signCatalogue,
  type Catalogue,
} from '@dragoman/core/catalogue'
import { knownProviders } from '../known-providers.ts'
import { CommandError, type Command } from './command.ts'
import { readArguments } from './key-options.ts'

const TEXTS = { type: 'string', multiple: true } as const

/** Commands about signed catalogues, for their publishers and for operators. */
export const CATALOGUE_COMMANDS: { readonly [name: string]: Command } = {
  keygen: {
    usage: 'PRIVATE-KEY-FILE',
    about: 'a pair of keys for catalogues; the private one is written to a new file',
    async run(args, { write }) {
      const { positionals } = readArguments(args, {})
      const file = onlyFile(positionals, 'the private key')
      const { privateKey, publicKey, id } = await createCatalogueKeys()
      guarded(file, () => writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' }))
      write(`private key  ${file}\nkey id       ${id}\npublic key   ${publicKey}\n`)
    },
  },
  sign: {
    usage: 'FILE --key PRIVATE-KEY-FILE [--key …] --out SIGNED-FILE --provider NAME (of your own)',
    about: 'check a catalogue and sign it; several keys while one is being replaced',
    async run(args, { write }) {
      const options = { key: TEXTS, provider: TEXTS, out: { type: 'string' } } as const
      const { values, positionals } = readArguments(args, options)
      const file = onlyFile(positionals, 'the catalogue')
      const { key: keyFiles = [], provider = [], out } = values
      if (keyFiles.length === 0) throw new CommandError('--key needs the file of a private key: see catalogue keygen.')
      const content = readText(file)
      const catalogue = checked(file, () => readCatalogue(content, [...knownProviders, ...provider]))
      const signed = await checkedLater(keyFiles.join(', '), signCatalogue(content, keyFiles.map(readText)))
      if (out === undefined) return write(signed)
      guarded(out, () => writeFileSync(out, signed))
      write(`${out}: ${summaryOf(catalogue)}\n`)
    },
  },
  check: {
    usage: 'FILE --public-key KEY [--public-key …] --provider NAME (of your own)',
    about: 'what is in a catalogue, signed or not, and what is wrong with it',
    async run(args, { write }) {
      const { values, positionals } = readArguments(args, { 'public-key': TEXTS, provider: TEXTS } as const)
      const file = onlyFile(positionals, 'the catalogue')
      const text = readText(file)
      const providers = [...knownProviders, ...(values.provider ?? [])]
      const given = values['public-key'] ?? []
      if (!isEnvelope(text)) {
        if (given.length > 0) throw new CommandError(`${file} is not signed.`)
        return write(`${file}: ${summaryOf(checked(file, () => readCatalogue(text, providers)))}, not signed\n`)
      }
      if (given.length === 0) throw new CommandError(`${file} is signed: --public-key needs the key of its publisher.`)
      const keys = await checkedLater('--public-key', Promise.all(given.map(readCatalogueKey)))
      const opened = await checkedLater(file, openCatalogue(text, { keys, providers }))
      write(`${file}: ${summaryOf(opened)}, signed by the key ${opened.key}\n`)
    },
  },
}

function onlyFile(files: readonly string[], what: string): string {
  const [file, ...others] = files
  if (file === undefined || others.length > 0) throw new CommandError(`Name one file: ${what}.`)
  return file
}

function readText(file: string): string {
  return guarded(file, () => readFileSync(file, 'utf8'))
}

/** Files that cannot be read or written are mistakes of the arguments. */
function guarded<Result>(file: string, use: () => Result): Result {
  try {
    return use()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new CommandError(code === 'EEXIST' ? `${file} exists already.` : `${file} cannot be used: ${code}.`)
  }
}

function checked<Result>(file: string, check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw mistakesOf(file, error)
  }
}

async function checkedLater<Result>(file: string, checking: Promise<Result>): Promise<Result> {
  try {
    return await checking
  } catch (error) {
    throw mistakesOf(file, error)
  }
}

/** One line for each mistake. */
function mistakesOf(file: string, error: unknown): unknown {
  if (!DragomanError.isInstance(error)) return error
  return new CommandError(
    error.message
      .split('\n')
      .map((line) => `${file}: ${line}`)
      .join('\n'),
  )
}

function summaryOf({ version, issued, providers }: Catalogue): string {
  const counts = Object.entries(providers).map(([name, { models }]) => `${name} ${Object.keys(models).length}`)
  return `version ${version} of ${issued}, models: ${counts.join(', ') || 'none'}`
}
