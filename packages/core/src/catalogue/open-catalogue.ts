import { DragomanError } from '../ir/error.ts'
import { isObject, parseStrictJson } from '../lib/json.ts'
import { didYouMean } from '../lib/near.ts'
import { checkCatalogueFacts, refuseForbidden } from '../provider/catalogued-cards.ts'
import { matching, required, whole } from '../lib/check-value.ts'
import type { CatalogueFacts, CatalogueModels } from '../provider/options.ts'
import { openEnvelope, type CatalogueKey } from './envelope.ts'

/** A verified catalogue. */
export interface OpenedCatalogue extends Catalogue {
  /** The signed bytes as text: two files with the same content can have other signatures. */
  readonly content: string
  /** The id of the key whose signature fits. */
  readonly key: string
}

/** What a catalogue must be signed with, and what it may name. */
export interface OpenOptions {
  /** One signature by one of them is enough. */
  readonly keys: readonly CatalogueKey[]
  /** The providers that may be named; others are mistakes. */
  readonly providers?: readonly string[] | undefined
}

/** Verifies a signed file, and checks its content. The error has one line for each mistake. */
export async function openCatalogue(text: string, { keys, providers }: OpenOptions): Promise<OpenedCatalogue> {
  const { content, key } = await openEnvelope(text, keys)
  return { ...readCatalogue(content, providers), content, key }
}

/**
 * Why a catalogue cannot replace the last good one: it is older, or it has the same version with another content. Undefined if it can; a
 * catalogue that is the same can, because it may have a signature of a newer key.
 */
export function staleness(next: OpenedCatalogue, last: OpenedCatalogue | undefined): string | undefined {
  if (last === undefined || next.version > last.version || next.content === last.content) return undefined
  if (next.version === last.version) return `has version ${next.version} again, with another content`
  return `has version ${next.version}, which is older than version ${last.version}`
}

/** Facts and prices of models, by provider. */
export interface Catalogue {
  /** Higher for each issue: an older catalogue never replaces a newer one. */
  readonly version: number
  /** When it was made, for people: nothing depends on the clock. */
  readonly issued: string
  readonly providers: { readonly [provider: string]: CatalogueModels }
}

const MEMBERS = ['$schema', 'version', 'issued', 'providers']
const MOST_MODELS = 2000
/** A mistake is often made many times. */
const MOST_MISTAKES = 10
/** The name is neither a pattern, which would open a provider for unlisted names, nor one that could confuse paths or log lines. */
const NAME = /^[\w@][\w.:/@+-]{0,199}$/
const VERSION = required(whole(1, Number.MAX_SAFE_INTEGER))
const ISSUED = required(
  matching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/, 'a day or a time, 2026-11-30T12:00:00Z'),
)

/**
 * Reads the content of a catalogue. With the names of providers, others are mistakes. Throws all mistakes at once, one line each, which
 * name members and never their values.
 */
export function readCatalogue(content: string, providers?: readonly string[]): Catalogue {
  const read = parseStrictJson(content)
  if ('problem' in read) throw wrongLine(read.problem)
  const { value: document } = read
  if (!isObject(document)) throw wrongLine('must be an object')
  const { collect, mistakes } = createCollection()
  collect(() => refuseForbidden(document, '', wrongMember))
  collect(() => refuseUnknown(document, MEMBERS, ''))
  collect(() => VERSION(document['version'], 'version', wrongMember))
  collect(() => ISSUED(document['issued'], 'issued', wrongMember))
  const entries: readonly Entry[] = isObject(document['providers']) ? Object.entries(document['providers']) : []
  if (!isObject(document['providers'])) mistakes.push('providers must be an object of providers')
  let count = 0
  for (const [provider, entry] of entries) {
    const path = `providers.${clip(provider)}`
    collect(() => checkProvider(provider, entry, path, providers))
    const models: readonly Entry[] = isObject(entry) && isObject(entry['models']) ? Object.entries(entry['models']) : []
    count += models.length
    if (count > MOST_MODELS) throw wrongLine(`has more than ${MOST_MODELS} models`)
    for (const [name, facts] of models) collect(() => checkModel(name, facts, `${path}.models.${clip(name)}`))
  }
  if (mistakes.length > 0) throw wrongLine(linesOf(mistakes))
  const { version, issued } = document as { readonly version: number; readonly issued: string } // as checked
  return {
    version,
    issued,
    providers: Object.fromEntries(entries.map(([name, entry]) => [name, statedBy(entry, version)])),
  }
}

type Entry = readonly [string, unknown]

function statedBy(entry: unknown, version: number): CatalogueModels {
  const { models } = entry as { readonly models: { readonly [model: string]: CatalogueFacts } } // as checked
  return { version, models }
}

/** Collects the mistakes that checks throw. */
function createCollection() {
  const mistakes: string[] = []
  const collect = (check: () => void): void => {
    try {
      check()
    } catch (error) {
      if (!DragomanError.isInstance(error)) throw error
      mistakes.push(error.message)
    }
  }
  return { mistakes, collect }
}

function checkProvider(name: string, entry: unknown, path: string, providers: readonly string[] | undefined): void {
  if (providers !== undefined && !providers.includes(name))
    throw wrongMember(path, `names no provider that is known here${didYouMean(name, providers)}`)
  if (!isObject(entry)) throw wrongMember(path, 'must be an object with models')
  refuseForbidden(entry, path, wrongMember)
  refuseUnknown(entry, ['models'], path)
  if (!isObject(entry['models'])) throw wrongMember(`${path}.models`, 'must be an object of models')
}

function checkModel(name: string, facts: unknown, path: string): void {
  if (!NAME.test(name)) throw wrongMember(path, 'is not the name of a model')
  checkCatalogueFacts(facts, path, wrongMember)
}

function refuseUnknown(given: object, known: readonly string[], path: string): void {
  for (const member of Object.keys(given))
    if (!known.includes(member))
      throw wrongMember(
        path === '' ? clip(member) : `${path}.${clip(member)}`,
        `is unknown${didYouMean(member, known)}`,
      )
}

function linesOf(mistakes: readonly string[]): string {
  const further = mistakes.length - MOST_MISTAKES
  const lines = mistakes.slice(0, MOST_MISTAKES)
  return (further > 0 ? [...lines, `and ${further} more mistakes`] : lines).join('\n')
}

/** Messages contain names of members, which can be anything in a wrong file. */
function clip(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}

function wrongMember(path: string, reason: string): DragomanError {
  return wrongLine(`${path} ${reason}`)
}

function wrongLine(line: string): DragomanError {
  return new DragomanError('invalid-request', line)
}
