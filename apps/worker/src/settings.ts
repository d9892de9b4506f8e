import { didYouMean, listOf, unknownVariables, type Environment } from '@dragoman/core/provider'
import { COMPATIBLE } from '@dragoman/provider-openai-compatible/environment'
import { knownProviders } from './providers.ts'

/** The settings of the worker, with their names and values. */
export interface WorkerSettings {
  /** The secrets of callers. */
  readonly keys: readonly string[]
  readonly sealingKeys: readonly string[]
  readonly publicUrl: string | undefined
  readonly origins: readonly string[]
  readonly unsupportedFields: 'accept' | 'refuse'
  readonly modelLists: 'public' | 'private'
  readonly relayedStreams: 'exact' | 'untouched'
  readonly downloads: 'on' | 'off'
  readonly itemMemory: 'on' | 'off'
  readonly sim: 'on' | 'off'
  readonly adminKey: string | undefined
  readonly onStoreLoss: 'refuse' | 'serve'
  /** The address of a signed catalogue. Absent: there is no catalogue. */
  readonly catalogueUrl: string | undefined
  readonly catalogueKeys: readonly string[]
  /** In days. */
  readonly keepRecords: number | undefined
  readonly keepHours: number | undefined
  readonly keepAudit: number | undefined
}

/** Shorter ones could be guessed. */
const SHORTEST = 32

const NAME_OF: { readonly [Setting in keyof WorkerSettings]: string } = {
  keys: 'DRAGOMAN_KEYS',
  sealingKeys: 'DRAGOMAN_SEALING_KEYS',
  publicUrl: 'DRAGOMAN_PUBLIC_URL',
  origins: 'DRAGOMAN_CORS',
  unsupportedFields: 'DRAGOMAN_UNSUPPORTED_FIELDS',
  modelLists: 'DRAGOMAN_MODEL_LISTS',
  relayedStreams: 'DRAGOMAN_RELAYED_STREAMS',
  downloads: 'DRAGOMAN_DOWNLOADS',
  itemMemory: 'DRAGOMAN_ITEM_MEMORY',
  sim: 'DRAGOMAN_SIM',
  adminKey: 'DRAGOMAN_ADMIN_KEY',
  onStoreLoss: 'DRAGOMAN_STORE_LOSS',
  catalogueUrl: 'DRAGOMAN_CATALOGUE_URL',
  catalogueKeys: 'DRAGOMAN_CATALOGUE_KEYS',
  keepRecords: 'DRAGOMAN_KEEP_RECORDS',
  keepHours: 'DRAGOMAN_KEEP_HOURS',
  keepAudit: 'DRAGOMAN_KEEP_AUDIT',
}

/** Reads all settings. What is wrong is added to the mistakes, without values, which may be secrets; the default is used instead. */
export function readSettings(environment: Environment, mistakes: string[]): WorkerSettings {
  const read = createReader(environment, mistakes)
  mistakes.push(
    ...unknownVariables(environment, {
      settings: [...Object.values(NAME_OF), COMPATIBLE],
      providers: knownProviders,
      compatible: listOf(environment[COMPATIBLE]),
    }),
  )
  return {
    keys: listOf(environment[NAME_OF.keys]),
    sealingKeys: read.secrets(NAME_OF.sealingKeys),
    publicUrl: read.url(NAME_OF.publicUrl),
    origins: listOf(environment[NAME_OF.origins]),
    unsupportedFields: read.choice(NAME_OF.unsupportedFields, ['accept', 'refuse']),
    modelLists: read.choice(NAME_OF.modelLists, ['public', 'private']),
    relayedStreams: read.choice(NAME_OF.relayedStreams, ['exact', 'untouched']),
    downloads: read.choice(NAME_OF.downloads, ['on', 'off']),
    itemMemory: read.choice(NAME_OF.itemMemory, ['on', 'off']),
    sim: read.choice(NAME_OF.sim, ['off', 'on']),
    adminKey: read.secrets(NAME_OF.adminKey)[0],
    onStoreLoss: read.choice(NAME_OF.onStoreLoss, ['refuse', 'serve']),
    catalogueUrl: read.url(NAME_OF.catalogueUrl),
    catalogueKeys: read.publicKeys(NAME_OF.catalogueKeys, NAME_OF.catalogueUrl),
    keepRecords: read.days(NAME_OF.keepRecords),
    keepHours: read.days(NAME_OF.keepHours),
    keepAudit: read.days(NAME_OF.keepAudit),
  }
}

/** Each kind of setting. One that is empty is not set. */
function createReader(environment: Environment, mistakes: string[]) {
  const textOf = (name: string): string => environment[name] ?? ''
  return {
    /** The first one is the default. */
    choice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
      const text = textOf(name)
      const chosen = text === '' ? choices[0] : choices.find((known) => known === text)
      if (chosen !== undefined) return chosen
      mistakes.push(`${name} must be one of ${choices.join(', ')}${didYouMean(text, choices)}`)
      return choices[0]
    },
    days(name: string): number | undefined {
      const text = textOf(name)
      if (text === '') return undefined
      if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
      mistakes.push(`${name} must be a whole number of days from 1 to 99999`)
      return undefined
    },
    secrets(name: string): readonly string[] {
      const given = listOf(textOf(name))
      if (given.some(({ length }) => length < SHORTEST))
        mistakes.push(`${name} must have at least ${SHORTEST} characters${given.length > 1 ? ' in each key' : ''}`)
      return given
    },
    /** Settings that are required with another setting, and have no effect without it. */
    publicKeys(name: string, other: string): readonly string[] {
      const given = listOf(textOf(name))
      if (given.length > 0 !== (textOf(other) !== '')) mistakes.push(`${name} and ${other} are needed together`)
      if (given.some((key) => !/^[A-Za-z0-9+/]{43}=$/.test(key)))
        mistakes.push(`${name} must be Ed25519 public keys in base64`)
      return given
    },
    url(name: string): string | undefined {
      const text = textOf(name)
      if (text === '' || /^https?:\/\/[^/?#]+[^?#]*$/.test(text)) return text || undefined
      mistakes.push(`${name} must be an http or https URL`)
      return undefined
    },
  }
}
